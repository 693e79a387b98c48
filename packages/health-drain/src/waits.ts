import type { DrainClock } from './clock.ts'

/** Waits for deadlines of a clock that may move forward meanwhile. */
export interface Waits {
  pause(ms: number): Promise<void>
  /** Resolves at the moment. */
  until(at: () => number): Promise<void>
  /** Whether `wanted` is settled before the moment; the timer is gone either way. */
  comesBefore(at: () => number, wanted: PromiseLike<unknown>): Promise<boolean>
  comesWithin(ms: number, wanted: PromiseLike<unknown>): Promise<boolean>
  /** To be called when a moment has changed. */
  reschedule(): void
}

export function createWaits(clock: DrainClock): Waits {
  const waiting = new Set<() => void>()
  const wait = (at: () => number, wanted?: PromiseLike<unknown>): Promise<boolean> =>
    new Promise((resolve) => {
      let cancel: (() => void) | undefined
      const end = (isInTime: boolean): void => {
        cancel?.()
        waiting.delete(look)
        resolve(isInTime)
      }
      const look = (): void => {
        cancel?.()
        const leftMs = at() - clock.now()
        if (leftMs > 0) cancel = clock.after(leftMs, look)
        // also where no time is left, what is ready by itself is in time
        else if (wanted !== undefined && cancel === undefined) cancel = clock.after(0, look)
        else end(false)
      }
      const come = (): void => end(true)
      waiting.add(look)
      wanted?.then(come, come)
      look()
    })
  const after = (ms: number): (() => number) => {
    const at = clock.now() + ms
    return () => at
  }
  return {
    pause: async (ms) => void (await wait(after(ms))),
    until: async (at) => void (await wait(at)),
    comesBefore: wait,
    comesWithin: (ms, wanted) => wait(after(ms), wanted),
    reschedule: () => {
      for (const look of [...waiting]) look()
    },
  }
}
