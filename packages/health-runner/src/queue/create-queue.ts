import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatError } from '@baldur/health-core/internal'
import { type QueueRoute, queueRoute } from '../rules/queue-route.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type {
  AddOutcome,
  QueueAnswer,
  QueueCounts,
  QueuedRequest,
  QueueStore,
} from '../vocabulary/queue-store.ts'
import { accept } from './accept.ts'
import { createBodyRoom } from './body-room.ts'
import { createDispatcher } from './dispatcher.ts'
import { createHandOut } from './hand-out.ts'
import { createIdle } from './idle.ts'
import { cancel, showResult, showStatus } from './look-up.ts'
import type { QueueParts } from './queue-parts.ts'
import { REFUSALS } from './refusals.ts'
import { respond } from './respond.ts'
import { watchStartDeadlines } from './start-deadlines.ts'
import { createStoreCalls } from './store-calls.ts'

export interface Queue {
  /** True when the path is the queue's, which answers then: at once what the head alone decides. A `100 Continue` is for the server, if nothing has been answered when it returns. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** From now on runners are given requests. */
  start(): void
  /** From now on a request is answered 503. Those accepted before go on; in a store that outlives us they are left to others. */
  stopAccepting(): void
  /** Resolves when nothing waits or runs; in a store that outlives us, when nothing of ours runs after `stopAccepting`. */
  idle(): Promise<void>
  counts(): Promise<QueueCounts>
  unfinished(): ReturnType<QueueStore['unfinished']>
  /** No further attempt begins. Closes the store. */
  close(): Promise<void>
}

/** The queue: its endpoints, and what gives its requests to runners. */
export function createQueue(settings: QueueSettings, parts: QueueParts): Queue {
  const { store, logger, clock, random = Math.random } = parts
  const calls = createStoreCalls({ clock, logger, random })
  const room = createBodyRoom(settings.maxKeptBytes)
  let isAccepting = true
  let adding = 0
  let endDeadlines = (): void => undefined

  const idle = createIdle(async () => {
    if (adding > 0) return false
    // what waits there is for others
    if (store.isDurable && !isAccepting) return dispatcher.underWay === 0
    const counts = await calls.once(() => store.counts())
    return counts && counts.waiting + counts.running === 0
  }, clock)
  const dispatcher = createDispatcher(settings, { ...parts, random, calls, onSettled: idle.look })

  const add = async (request: QueuedRequest): Promise<AddOutcome | undefined> => {
    adding += 1
    try {
      return await calls.once(() => store.add(request))
    } finally {
      adding -= 1
      idle.look()
    }
  }
  const acceptance = { settings, room, clock, isAccepting: () => isAccepting, add }
  /** 503 where the store cannot be reached. */
  const look = async (call: () => Promise<QueueAnswer>): Promise<QueueAnswer> =>
    (await calls.once(call)) ?? REFUSALS.noStore

  const handOut = createHandOut(settings.maxKeptBytes, (id) => {
    void calls.once(() => store.markFetched(id))
  })

  const answer = (
    route: QueueRoute,
    request: IncomingMessage,
    response: ServerResponse,
  ): QueueAnswer | Promise<QueueAnswer | undefined> => {
    switch (route.kind) {
      case 'method':
        return REFUSALS.method(route.allowed)
      case 'status':
        return look(() => showStatus(store, route.id))
      case 'result':
        return look(() => showResult(store, route.id, handOut(route.id, request, response)))
      case 'cancel':
        return look(() => cancel(store, route.id)).finally(idle.look)
      case 'add':
        return accept(request, route.target, acceptance)
    }
  }

  return {
    handle: (request, response) => {
      const route = queueRoute(request.method ?? '', request.url ?? '')
      if (route === undefined) return false
      const reply = (made: QueueAnswer | undefined): void => {
        if (made !== undefined) respond(request, response, made, clock)
      }
      const made = answer(route, request, response)
      if (!(made instanceof Promise)) reply(made)
      else {
        made
          .catch((error: unknown) => {
            logger.error(`queue: answering failed: ${formatError(error)}`)
            return REFUSALS.broken
          })
          .then(reply)
          .catch((error: unknown) => {
            logger.error(`queue: writing an answer failed: ${formatError(error)}`)
            response.destroy()
          })
      }
      return true
    },
    start: () => {
      dispatcher.start()
      endDeadlines()
      endDeadlines = watchStartDeadlines({ store, calls, clock, logger, onExpired: idle.look })
    },
    stopAccepting: () => {
      isAccepting = false
      // others that share the store go on with it; what is in memory has nobody else
      if (store.isDurable) dispatcher.stop()
      void calls.once(() => store.beginShutdown())
      idle.look()
    },
    idle: idle.wait,
    counts: () => store.counts(),
    unfinished: () => store.unfinished(),
    close: async () => {
      isAccepting = false
      dispatcher.stop()
      endDeadlines()
      calls.close()
      idle.close()
      await store.close()
    },
  }
}
