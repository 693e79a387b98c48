import type { Clock, Logger } from '@baldur/health-core'
import type { FleetSettings } from '../settings/settings.ts'
import type { Fleet, GuardEvent, RunnerEvent } from '../vocabulary/fleet.ts'

/** The runners, as the one sees them who made them. */
export interface OwnFleet extends Fleet {
  /** Resolves when the keeper watches and the control socket listens; runners are started then, and not waited for. Rejects when one of the two cannot be had; nothing is left then. */
  start(): Promise<void>
  /** From now on there are to be so many runners. Those that are too many finish what they have. */
  scale(count: number): void
  /** Ends all runners at once: SIGTERM, and SIGKILL `killAfterMs` later. Resolves when no process is left. Again: the same promise. */
  stop(): Promise<void>
}

export interface FleetParts {
  readonly logger: Logger
  readonly clock: Clock
  /** Is told of each change of a runner's state, in order. */
  onRunner(event: RunnerEvent): void
  /** Is told when the guard keeps a runner that was to be ended. */
  onGuard(event: GuardEvent): void
}

/** Makes the fleet; nothing runs before `start`. */
export function createFleet(settings: FleetSettings, parts: FleetParts): OwnFleet {
  throw new Error(`not made yet: ${settings.command[0]} ${Object.keys(parts).length}`)
}
