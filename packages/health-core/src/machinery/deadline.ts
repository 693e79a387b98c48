import type { Clock } from './clock.ts'

/** Resolves when all have, or after `ms`, whichever comes first. The promises must not reject. */
export function withinDeadline(waits: readonly Promise<void>[], ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void Promise.all(waits).then(() => {
      cancel()
      resolve()
    })
  })
}
