import { endToEnd, valuesOf, without } from './hop-by-hop.ts'

export interface ForwardedRequest {
  /** As they came; names and values in turn. */
  readonly headers: readonly string[]
  /** The address of who is connected. */
  readonly client: string | undefined
  readonly requestId: string
  /** What the target itself named; it takes the place of the `Host` header. */
  readonly host: string | undefined
  /** Which protocol an upgrade is to; undefined for every other request. */
  readonly upgrade?: string | undefined
}

/** Set here, whatever a client says. `Expect` was answered here. */
const OURS: ReadonlySet<string> = new Set([
  'x-baldur-request-id',
  'x-baldur-attempt',
  'x-forwarded-for',
  'expect',
])

/** A name of 253 characters, and a port: a longer one is no host, and twice it would make a head too long that was not. */
const LONGEST_HOST = 259

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i

/** Headers with `value` in place of the one that has this name, or at the front. */
function replace(headers: readonly string[], name: string, value: string): readonly string[] {
  return [name, value, ...without(headers, (other) => other === name.toLowerCase())]
}

/**
 * The headers of a request as a runner gets them: `Host` as the client sent it, `X-Forwarded-For` with the client's address
 * at its end, `X-Forwarded-Proto` and `-Host` of whoever is in front, else as they are here, and the request's id.
 */
export function forwardHeaders(request: ForwardedRequest): readonly string[] {
  const { headers, client, requestId, host, upgrade } = request
  const kept = without(endToEnd(headers), (name) => OURS.has(name))
  const sound = host === undefined ? kept : replace(kept, 'Host', host)
  const has = (name: string): boolean => valuesOf(sound, name).length > 0
  const [ownHost] = valuesOf(sound, 'host')
  const isCopied = !has('x-forwarded-host') && ownHost !== undefined && ownHost.length <= LONGEST_HOST
  const address = client?.replace(IPV4_IN_IPV6, '')
  const way = [...valuesOf(headers, 'x-forwarded-for'), ...(address === undefined ? [] : [address])]
  return [
    ...sound,
    ...(way.length === 0 ? [] : ['X-Forwarded-For', way.join(', ')]),
    ...(has('x-forwarded-proto') ? [] : ['X-Forwarded-Proto', 'http']),
    ...(isCopied ? ['X-Forwarded-Host', ownHost] : []),
    ...['X-Baldur-Request-Id', requestId, 'X-Baldur-Attempt', '1'],
    ...(upgrade === undefined ? [] : ['Connection', 'Upgrade', 'Upgrade', upgrade]),
  ]
}
