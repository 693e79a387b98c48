import type { Clock } from './clock.ts'

/** Something that is on for a while. */
export interface Hold {
  readonly isOn: boolean
  /** On from now for the whole time, also when it is on already. */
  begin(): void
  /** Off, without a word. */
  stop(): void
}

/** Off at first; `onEnd` hears when the time of a hold has passed. */
export function createHold(clock: Clock, holdMs: number, onEnd: () => void): Hold {
  let cancel: (() => void) | undefined
  const stop = (): void => {
    cancel?.()
    cancel = undefined
  }
  return {
    get isOn() {
      return cancel !== undefined
    },
    begin: () => {
      stop()
      cancel = clock.after(holdMs, () => {
        cancel = undefined
        onEnd()
      })
    },
    stop,
  }
}
