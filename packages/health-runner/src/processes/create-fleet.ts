import { rm } from 'node:fs/promises'
import type { Clock, Logger } from '@baldur/health-core'
import { chooseRunner } from '../rules/choose-runner.ts'
import { FIXED, RUNNERS } from '../settings/defaults.ts'
import type { FleetSettings } from '../settings/settings.ts'
import type { Fleet, GuardEvent, RunnerEvent } from '../vocabulary/fleet.ts'
import { makeControlFolder } from './control-folder.ts'
import { type ControlServer, openControl } from './control-server.ts'
import { createFreePorts } from './free-ports.ts'
import { createGuard } from './guard.ts'
import { type Keeper, startKeeper } from './keeper.ts'
import { createSlot, type Slot } from './slot.ts'
import { createTelling } from './telling.ts'

/** The runners, as the one sees them who made them. */
export interface OwnFleet extends Fleet {
  /** Resolves when the keeper watches and the control socket listens; runners are started then, and not waited for. Rejects when one of the two cannot be had; nothing is left then. */
  start(): Promise<void>
  /** From now on there are to be so many runners. Those that are too many finish what they have. Throws a `RangeError` for what is no such number. */
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
export function createFleet(settings: FleetSettings, { logger, clock, ...hearers }: FleetParts): OwnFleet {
  const slots: Slot[] = []
  const room = createTelling<void>('onRoom', logger)
  const runnerMoves = createTelling<RunnerEvent>('onRunner', logger)
  const guardMoves = createTelling<GuardEvent>('onGuard', logger)
  runnerMoves.add(hearers.onRunner)
  guardMoves.add(hearers.onGuard)
  const guard = createGuard({ clock, logger, wanted: () => wanted, onGuard: guardMoves.tell })
  let wanted = settings.runners
  let lastPlace = -1
  let started: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  let base: { folder: string; control: ControlServer; keeper: Keeper; add(): Slot } | undefined

  const runners = () => slots.flatMap(({ runner }) => (runner === undefined ? [] : [runner]))
  const fit = (): void => {
    if (base === undefined || stopped !== undefined) return
    while (slots.length < wanted) slots.push(base.add())
    slots.forEach((slot, index) => {
      if (index < wanted) slot.open()
      else slot.close()
    })
    guard.look()
  }
  const begin = async (): Promise<void> => {
    const { folder, controlPath } = await makeControlFolder()
    let control: ControlServer | undefined
    try {
      control = await openControl(controlPath, logger)
      const keeper = await startKeeper({ folder, controlPath, logger, clock })
      const ports = createFreePorts()
      const [tell, onRoom] = [runnerMoves.tell, () => room.tell()]
      const shared = { settings, clock, logger, control, controlPath, keeper, guard, ports, tell, onRoom }
      base = { folder, control, keeper, add: () => createSlot(slots.length, shared) }
    } catch (error) {
      control?.close()
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    fit()
  }
  const end = async (): Promise<void> => {
    // one that does not start leaves nothing, and says so to whoever has started it
    await started?.catch(() => {})
    guard.close()
    const startedAt = clock.now()
    await Promise.all(slots.map((slot) => slot.stop()))
    base?.control.close()
    // what runners have left elsewhere has what is left of their own time
    const leftMs = settings.killAfterMs + FIXED.keeperLastMs - (clock.now() - startedAt)
    await base?.keeper.end(Math.min(FIXED.keeperKillMs, Math.max(FIXED.keeperLastMs, leftMs)))
    if (base !== undefined) await rm(base.folder, { recursive: true, force: true })
  }

  return {
    start: () => {
      started ??= stopped === undefined ? begin() : Promise.reject(new Error('the fleet has been stopped'))
      return started
    },
    stop: () => {
      stopped ??= end()
      return stopped
    },
    scale: (count) => {
      const { min, max } = RUNNERS.runners
      if (!Number.isInteger(count) || count < min || count > max)
        throw new RangeError(`runners: expected a whole number from ${min} to ${max}, got ${count}`)
      wanted = count
      fit()
    },
    take: (kind) => {
      const free = runners().filter((runner) => runner.isFree(kind))
      const chosen = chooseRunner(free, lastPlace)
      if (chosen === undefined || stopped !== undefined) return undefined
      lastPlace = chosen.slot
      return chosen.lease(kind)
    },
    onRoom: (listener) => room.add(listener),
    get hasReady() {
      return runners().some(({ isReady }) => isReady)
    },
    snapshot: () => ({
      wanted,
      runners: slots.flatMap((slot) => slot.snapshot()),
      guard: guard.snapshot(),
    }),
  }
}
