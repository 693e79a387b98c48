import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@baldur/health-core'
import { keptHeaders } from '../rules/kept-headers.ts'
import { readWishes, type Wishes } from '../rules/read-wishes.ts'
import { requestUrls } from '../rules/request-urls.ts'
import { FIXED, QUEUE_FIXED } from '../settings/defaults.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { AddOutcome, QueueAnswer, QueuedRequest } from '../vocabulary/queue-store.ts'
import type { BodyRoom } from './body-room.ts'
import { fingerprint } from './fingerprint.ts'
import { type BodyRead, readBody, type Unread } from './read-body.ts'
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

/** 202: it will have a result. */
function accepted(id: string, { headers, socket }: IncomingMessage): QueueAnswer {
  const { host, 'x-forwarded-proto': proto } = headers
  const forwardedProto = Array.isArray(proto) ? proto.join(',') : proto
  const isEncrypted = 'encrypted' in socket
  return json(202, { request_id: id, ...requestUrls(id, { host, forwardedProto, isEncrypted }) })
}

/** What the store is given. */
function queued(
  request: IncomingMessage,
  target: string,
  body: Buffer,
  wishes: Wishes,
  { settings, clock }: Pick<Acceptance, 'settings' | 'clock'>,
): QueuedRequest {
  const { method, noRetry, startWithinMs, idempotencyKey } = wishes
  const acceptedAt = clock.wall()
  return {
    id: randomBytes(16).toString('hex'),
    method,
    target,
    headers: keptHeaders(
      { headers: request.rawHeaders, client: request.socket.remoteAddress },
      settings.keepHeaders,
    ),
    body,
    acceptedAt,
    startBy: startWithinMs === undefined ? undefined : acceptedAt + startWithinMs,
    noRetry,
    idempotencyKey,
    fingerprint:
      idempotencyKey === undefined ? '' : fingerprint({ method, target, headers: request.rawHeaders, body }),
  }
}

/** Takes a request into the queue, or says why not: at once where the head tells, so that nobody is asked for a body in vain. Undefined: the caller has gone. */
export function accept(
  request: IncomingMessage,
  target: string,
  acceptance: Acceptance,
): QueueAnswer | Promise<QueueAnswer | undefined> {
  const { settings, room, clock, isAccepting, add } = acceptance
  if (!isAccepting()) return REFUSALS.leaving
  const wishes = readWishes(request.headers, QUEUE_FIXED)
  if ('problem' in wishes) return REFUSALS.wish(wishes.problem)
  const { maxBodyBytes: maxBytes } = settings
  const { clientIdleMs: idleMs } = FIXED
  const { bodyMs: wholeMs } = QUEUE_FIXED
  const reading = readBody(request, { maxBytes, idleMs, wholeMs, room, clock })

  const goOn = async (read: BodyRead): Promise<QueueAnswer | undefined> => {
    if (read.kind !== 'whole') return UNREAD[read.kind](maxBytes)
    try {
      // it may have ended while the body came
      if (!isAccepting()) return REFUSALS.leaving
      const outcome = await add(queued(request, target, read.body, wishes, acceptance))
      if (outcome === undefined) return REFUSALS.noStore
      if (outcome.kind === 'full') return REFUSALS.full
      return outcome.kind === 'conflict' ? REFUSALS.conflict : accepted(outcome.id, request)
    } finally {
      room.release(read.reserved)
    }
  }
  if (reading instanceof Promise) return reading.then(goOn)
  return REFUSALS.tooLong(maxBytes)
}
