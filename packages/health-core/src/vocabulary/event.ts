import type { HealStep } from './heal.ts'
import type { Outcome } from './outcome.ts'
import type { Phase } from './phase.ts'
import type { VerdictTransition } from './verdict-transition.ts'
import type { WatchdogReport } from './watchdog.ts'

/** The events of a `Health`. Listeners run after the change; one that throws cannot break an answer. */
export interface HealthEvents {
  /** The instance moved to another phase. */
  readonly phase: { readonly from: Phase; readonly to: Phase }
  /** A run of a check ended, or reached its timeout. */
  readonly check: {
    /** The check's name. */
    readonly name: string
    /** The result of the run. */
    readonly outcome: Outcome
    /** From the run's start, in milliseconds. */
    readonly durationMs: number
  }
  /** The verdict changed its state. Also published on the channel `baldur:health:verdict` of `node:diagnostics_channel`. */
  readonly verdict: VerdictTransition
  /** A look of the watchdog found a status that differs from the previous look. */
  readonly watchdog: WatchdogReport
  /** A heal attempt began or ended, or healing gave up. */
  readonly heal: HealStep
}

/** The name of an event of `HealthEvents`. */
export type HealthEvent = keyof HealthEvents
