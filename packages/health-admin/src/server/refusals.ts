import { json, type Reply } from './respond.ts'

interface Refusals {
  readonly host: Reply
  readonly origin: Reply
  readonly path: Reply
  readonly key: Reply
  readonly role: Reply
  readonly noKeys: Reply
  readonly body: Reply
  readonly broken: Reply
  readonly tooLarge: (bytes: number) => Reply
  readonly watchers: (most: number) => Reply
}

/** Nothing of a request is in what refuses it. */
export const REFUSALS: Refusals = {
  host: json(403, {
    status: 'forbidden',
    detail:
      'expected one Host header with an address, localhost or a name among allowedHosts (BALDUR_ADMIN_ALLOWED_HOSTS)',
  }),
  origin: json(403, { status: 'forbidden', detail: 'a page of another origin may not ask' }),
  path: json(404, { status: 'not_found' }),
  // no key and a wrong one read alike
  key: json(401, { status: 'unauthorized' }, { 'www-authenticate': 'Bearer' }),
  role: json(403, { status: 'forbidden', detail: 'this needs the operator key' }),
  noKeys: json(403, {
    status: 'forbidden',
    detail: 'self-healing can be switched only where an operatorKey (BALDUR_ADMIN_KEY) is set',
  }),
  tooLarge: (bytes: number): Reply =>
    json(413, { status: 'payload_too_large', detail: `a body of at most ${bytes} bytes` }),
  body: json(400, {
    status: 'bad_request',
    detail: 'the body has to be {"enabled":true} or {"enabled":false}',
  }),
  watchers: (most: number): Reply =>
    json(
      503,
      { status: 'busy', detail: `at most ${most} streams of events at a time` },
      { 'retry-after': '5' },
    ),
  broken: json(500, { status: 'error' }),
}

export const methodRefused = (allowed: readonly string[]): Reply =>
  json(405, { status: 'method_not_allowed' }, { allow: allowed.join(', ') })
