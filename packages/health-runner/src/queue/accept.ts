import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@baldur/health-core'
import { keptHeaders } from '../rules/kept-headers.ts'
import { readWishes, type Wishes } from '../rules/read-wishes.ts'
import { requestUrls } from '../rules/request-urls.ts'
import { FIXED, QUEUE_FIXED } from '../settings/defaults.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { AddOutcome, QueueAnswer, QueuedRequest } from '../vocabulary/queue-store.ts'
import type { BodyRoom } from './body-room.ts'
import { readBody, type Unread } from './read-body.ts'
import { REFUSALS } from './refusals.ts'
import { json } from './respond.ts'

interface Acceptance {
  readonly settings: Pick<QueueSettings, 'maxBodyBytes' | 'keepHeaders'>
  readonly room: BodyRoom
  readonly clock: Clock
  readonly isAccepting: () => boolean
  /** Undefined: the store cannot be reached. */
  readonly add: (request: QueuedRequest) => Promise<AddOutcome | undefined>
}

/** Whoever has gone is answered nothing. */
const UNREAD: Readonly<Record<Unread, (maxBytes: number) => QueueAnswer | undefined>> = {
  too_long: REFUSALS.tooLong,
  no_room: () => REFUSALS.full,
  too_slow: () => REFUSALS.tooSlow,
  gone: () => undefined,
}

/** The same for the same request. Only a key asks for it. */
function fingerprint({ method, idempotencyKey }: Wishes, target: string, body: Buffer): string {
  if (idempotencyKey === undefined) return ''
  return createHash('sha256').update(`${method}\n${target}\n`, 'latin1').update(body).digest('hex')
}

/** 202: it will have a result. */
function accepted(id: string, { headers, socket }: IncomingMessage): QueueAnswer {
  const { host, 'x-forwarded-proto': proto } = headers
  const forwardedProto = Array.isArray(proto) ? proto.join(',') : proto
  const isEncrypted = 'encrypted' in socket
  return json(202, { request_id: id, ...requestUrls(id, { host, forwardedProto, isEncrypted }) })
}

/** Takes a request into the queue, or says why not; undefined: the caller has gone. */
export async function accept(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  { settings, room, clock, isAccepting, add }: Acceptance,
): Promise<QueueAnswer | undefined> {
  if (!isAccepting()) return REFUSALS.leaving
  const wishes = readWishes(request.headers, QUEUE_FIXED)
  if ('problem' in wishes) return REFUSALS.wish(wishes.problem)
  const { maxBodyBytes: maxBytes, keepHeaders } = settings
  const read = await readBody(request, response, { maxBytes, idleMs: FIXED.clientIdleMs, room, clock })
  if (read.kind !== 'whole') return UNREAD[read.kind](maxBytes)
  const { body, reserved } = read
  try {
    // it may have ended while the body came
    if (!isAccepting()) return REFUSALS.leaving
    const { method, noRetry, startWithinMs, idempotencyKey } = wishes
    const acceptedAt = clock.wall()
    const outcome = await add({
      id: randomBytes(16).toString('hex'),
      method,
      target,
      headers: keptHeaders(request.rawHeaders, keepHeaders),
      body,
      acceptedAt,
      startBy: startWithinMs === undefined ? undefined : acceptedAt + startWithinMs,
      noRetry,
      idempotencyKey,
      fingerprint: fingerprint(wishes, target, body),
    })
    if (outcome === undefined) return REFUSALS.noStore
    if (outcome.kind === 'full') return REFUSALS.full
    return outcome.kind === 'conflict' ? REFUSALS.conflict : accepted(outcome.id, request)
  } finally {
    room.release(reserved)
  }
}
