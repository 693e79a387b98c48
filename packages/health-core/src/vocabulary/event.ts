import type { HealStep } from './heal.ts'
import type { Outcome } from './outcome.ts'
import type { Phase } from './phase.ts'
import type { VerdictTransition } from './verdict-transition.ts'
import type { WatchdogReport } from './watchdog.ts'

/** What a `Health` tells its listeners. They hear it afterwards; one that throws cannot break an answer. */
export interface HealthEvents {
  /** The instance moved to another phase. */
  readonly phase: { readonly from: Phase; readonly to: Phase }
  /** A run of a check ended, or reached its timeout. */
  readonly check: {
    readonly name: string
    readonly outcome: Outcome
    /** From the run's start, in milliseconds. */
    readonly durationMs: number
  }
  /** The verdict moved. Also published on the channel `baldur:health:verdict` of `node:diagnostics_channel`. */
  readonly verdict: VerdictTransition
  /** A look of the watchdog saw something that the look before did not. */
  readonly watchdog: WatchdogReport
  /** A try to bring a check back began or ended, or no more are made. */
  readonly heal: HealStep
}

export type HealthEvent = keyof HealthEvents
