import type { Clock } from './clock.ts'

/** A flag that stays on for a fixed time. */
export interface Hold {
  readonly isOn: boolean
  /** Turns the flag on for the full time, also when it is already on. */
  begin(): void
  /** Turns the flag off without calling `onEnd`. */
  stop(): void
}

/** Creates a flag that is off; `onEnd` is called when its time has passed. */
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
