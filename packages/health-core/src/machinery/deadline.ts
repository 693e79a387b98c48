import type { Clock } from './clock.ts'

/**
 * Calls `fire` after `ms` and one more turn of the event loop: when the loop was busy past that moment, an answer that
 * has arrived by then is read first. Returns the canceller.
 */
export function deadline(ms: number, clock: Clock, fire: () => void): () => void {
  let cancel = clock.after(ms, () => {
    cancel = clock.after(0, fire)
  })
  return () => cancel()
}

/** Resolves when all have, or at the deadline, whichever comes first. The promises must not reject. */
export function withinDeadline(waits: readonly Promise<void>[], ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = deadline(ms, clock, resolve)
    void Promise.all(waits).then(() => {
      cancel()
      resolve()
    })
  })
}
