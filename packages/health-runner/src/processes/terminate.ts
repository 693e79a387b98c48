import type { Clock } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'
import type { ProcessHandle } from './process-handle.ts'

/** Terminates a process group: SIGTERM first, then SIGKILL for the processes that remain. */
export interface Termination {
  /** Sends SIGTERM and schedules SIGKILL. Further calls change nothing. */
  terminate(): void
  /** Call when the first process has exited. The rest of its group is terminated, too; then `onGone` is called. */
  exited(): void
}

export interface TerminationParts {
  readonly process: ProcessHandle
  readonly killAfterMs: number
  readonly clock: Clock
  onGone(): void
}

export function createTermination({ process, killAfterMs, clock, onGone }: TerminationParts): Termination {
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
      // on a large machine the check is slow
      lookAgainMs = Math.min(2 * lookAgainMs, FIXED.leftoverMs)
      return
    }
    cancelKill?.()
    onGone()
  }
  return { terminate, exited: lookForRest }
}
