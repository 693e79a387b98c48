import type { Clock } from '../machinery/clock.ts'
import { INITIAL_STANDING, transition, type VerdictStanding } from '../rules/transition.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { VerdictTransition } from '../vocabulary/verdict-transition.ts'

/** The verdict's state machine: it receives each new verdict and reports only transitions. */
export interface VerdictMachine {
  see(now: VerdictStanding): void
  /** Ignores every later verdict. */
  stop(): void
  /** The last transitions, oldest first. */
  readonly history: readonly VerdictTransition[]
}

export function createVerdictMachine(
  bounds: { readonly historyLength: number; readonly remindMs: number },
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  onTransition: (move: VerdictTransition) => void,
): VerdictMachine {
  let standing: VerdictStanding = INITIAL_STANDING
  let history: readonly VerdictTransition[] = []
  let badSince = 0
  let reportedAt = 0
  let isStopped = false

  const report = (line: string): void => {
    reportedAt = clock.now()
    logger.warn(`verdict: ${line}`)
  }
  const sinceBad = (): string => `${Math.round((clock.now() - badSince) / 1_000)} s`

  return {
    see: (now) => {
      if (isStopped) return
      const { state: from } = standing
      const { direction, cause } = transition(standing, now)
      standing = now
      const { state: to } = now
      if (direction === 'stays') {
        const isDue = to !== 'healthy' && clock.now() - reportedAt >= bounds.remindMs
        if (isDue) report(`still ${to} after ${sinceBad()} (${cause})`)
        return
      }
      if (from === 'healthy') badSince = clock.now()
      const isOver = direction === 'recovers'
      report(`${from} -> ${to}${isOver ? ` after ${sinceBad()}` : ''} (${cause})`)
      const made: VerdictTransition = { from, to, cause, at: clock.wall() }
      history = [...history, made].slice(-bounds.historyLength)
      onTransition(made)
    },
    stop: () => {
      isStopped = true
    },
    get history() {
      return history
    },
  }
}
