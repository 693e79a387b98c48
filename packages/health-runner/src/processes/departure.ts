import type { Clock } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'
import type { RunnerProcess } from './runner-process.ts'

/** The way of a group out: SIGTERM, and SIGKILL for what is left. */
export interface Departure {
  /** Once; again changes nothing. */
  terminate(): void
  /** The first process has ended. What it has left in its group ends, too; then `onGone` is called. */
  exited(): void
}

export interface DepartureParts {
  readonly process: RunnerProcess
  readonly killAfterMs: number
  readonly clock: Clock
  onGone(): void
}

export function createDeparture({ process, killAfterMs, clock, onGone }: DepartureParts): Departure {
  let cancelKill: (() => void) | undefined
  let killedAt: number | undefined
  let lookAgainMs = FIXED.portPollMs

  const kill = (): void => {
    killedAt = clock.now()
    process.signal('SIGKILL')
  }
  const terminate = (): void => {
    if (cancelKill !== undefined) return
    cancelKill = clock.after(killAfterMs, kill)
    process.signal('SIGTERM')
  }
  const lookForRest = (): void => {
    const isGivenUp = killedAt !== undefined && clock.now() - killedAt > FIXED.leftoverMs
    if (process.isGroupAlive() && !isGivenUp) {
      terminate()
      clock.after(lookAgainMs, lookForRest)
      // on a large machine a look takes its time
      lookAgainMs = Math.min(2 * lookAgainMs, FIXED.leftoverMs)
      return
    }
    cancelKill?.()
    onGone()
  }
  return { terminate, exited: lookForRest }
}
