import type { Logger } from '../vocabulary/logger.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Healer } from './healer.ts'

/** The healers of all checks under one switch. */
export interface SelfHealing {
  readonly isOn: boolean
  /** What runs already is not stopped by it. */
  turn(on: boolean): void
  /** A run has ended; `isWatched`: nobody but watchers asked for it. */
  ended(name: string, outcome: Outcome, isWatched: boolean): void
  /** Goes up when the switch was turned. */
  version(): number
  /** Nothing is begun any more. */
  rest(): void
  stop(): void
}

export function createSelfHealing(
  healers: ReadonlyMap<string, Healer>,
  isOnAtFirst: boolean,
  logger: Pick<Logger, 'info'>,
): SelfHealing {
  let isOn = isOnAtFirst
  let isResting = false
  let turns = 0
  return {
    get isOn() {
      return isOn
    },
    turn: (on) => {
      if (on === isOn) return
      isOn = on
      turns += 1
      logger.info(`self-healing is ${on ? 'on' : 'off'}`)
    },
    ended: (name, outcome, isWatched) =>
      healers.get(name)?.ended(outcome.kind === 'usable', isOn && !isResting, isWatched),
    version: () => turns,
    rest: () => {
      isResting = true
    },
    stop: () => {
      isResting = true
      for (const healer of healers.values()) healer.stop()
    },
  }
}
