import { Server } from 'node:net'
import type { DrainClock } from '../clock.ts'
import type { DrainableServer } from '../options.ts'

/** As long as nothing comes, a turn of the event loop takes less; in a longer one a connection may have come meanwhile. */
const SHORT_TURN_MS = 0.1
const QUIET_TURNS = 3

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Closes the listening socket alone: `http.Server.close` would destroy idle connections too. What waits in the accept
 * backlog then is cut by the kernel, so it closes right after turns of the event loop that accepted nothing and were short; at
 * the latest `at` that moment, and in the second half of the time until then after any turns that accepted nothing.
 */
export async function closeListener(
  server: DrainableServer,
  accepted: () => number,
  { clock, at: endAt }: { readonly clock: DrainClock; readonly at: () => number },
): Promise<void> {
  const beganAt = clock.now()
  let quiet = 0
  let seen = accepted()
  let at = performance.now()
  while (server.listening && quiet < QUIET_TURNS && clock.now() < endAt()) {
    await turn()
    const isShort = performance.now() - at < SHORT_TURN_MS || clock.now() > (beganAt + endAt()) / 2
    quiet = accepted() === seen && isShort ? quiet + 1 : 0
    seen = accepted()
    at = performance.now()
  }
  if (server.listening) Server.prototype.close.call(server as unknown as Server)
}
