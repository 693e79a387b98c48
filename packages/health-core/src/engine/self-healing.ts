import type { Logger } from '../vocabulary/logger.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Healer } from './healer.ts'

/** The healers of all checks under one switch. */
export interface SelfHealing {
  readonly isOn: boolean
  /** Turns self-healing on or off; a running attempt goes on. */
  setEnabled(on: boolean): void
  /** Call when a run has ended; `isWatched`: only watchers requested it. */
  onRunEnd(name: string, outcome: Outcome, isWatched: boolean): void
  /** Increases with each change of the switch. */
  version(): number
  /** Starts no more attempts; a running one goes on. */
  stopNewAttempts(): void
  stop(): void
}

export function createSelfHealing(
  healers: ReadonlyMap<string, Healer>,
  isOnAtFirst: boolean,
  logger: Pick<Logger, 'info'>,
): SelfHealing {
  let isOn = isOnAtFirst
  let isResting = false
  let switches = 0
  return {
    get isOn() {
      return isOn
    },
    setEnabled: (on) => {
      if (on === isOn) return
      isOn = on
      switches += 1
      logger.info(`self-healing is ${on ? 'on' : 'off'}`)
    },
    onRunEnd: (name, outcome, isWatched) =>
      healers.get(name)?.onRunEnd(outcome.kind === 'usable', isOn && !isResting, isWatched),
    version: () => switches,
    stopNewAttempts: () => {
      isResting = true
    },
    stop: () => {
      isResting = true
      for (const healer of healers.values()) healer.stop()
    },
  }
}
