import type { Clock, Logger } from '@baldur/health-core'
import type { FleetSettings } from '../settings/settings.ts'
import type { RunnerEvent } from '../vocabulary/fleet.ts'
import type { ControlServer } from './control-server.ts'
import type { FreePorts } from './free-ports.ts'
import type { Guard } from './guard.ts'
import type { Keeper } from './keeper.ts'

/** What all runners of a fleet have in common. */
export interface Shared {
  readonly settings: FleetSettings
  readonly clock: Clock
  readonly logger: Logger
  readonly control: ControlServer
  readonly controlPath: string
  readonly keeper: Keeper
  readonly guard: Guard
  readonly ports: FreePorts
  tell(event: RunnerEvent): void
  /** A request might find a free runner now. */
  onRoom(): void
}
