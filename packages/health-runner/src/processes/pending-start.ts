import { FIXED } from '../settings/defaults.ts'
import type { RunnerSnapshot } from '../vocabulary/fleet.ts'
import type { EndReason, RunnerState } from '../vocabulary/runner-state.ts'
import { messageOf } from './message-of.ts'
import type { Shared } from './shared.ts'

/** The process that a place has next. It does not run yet: it waits after a crash, or its port is being chosen. */
export interface PendingStart {
  /** Does not wait any longer. */
  hurry(): void
  /** It is not to come. */
  cancel(reason: EndReason): void
  snapshot(): RunnerSnapshot
}

export interface PendingStartParts extends Pick<Shared, 'clock' | 'logger' | 'ports' | 'tell'> {
  readonly name: string
  /** How long it waits, in milliseconds. */
  readonly delayMs: number
  /** Once, unless it was cancelled: now it can be started. */
  onDue(port: number, cameFrom: RunnerState | undefined): void
}

export function createPendingStart({
  name,
  delayMs,
  clock,
  logger,
  ports,
  tell,
  onDue,
}: PendingStartParts): PendingStart {
  let isWaiting = false
  let isOver = false
  let cameFrom: RunnerState | undefined
  let cancelWait = (): void => {}

  const choose = async (): Promise<void> => {
    isWaiting = false
    let port: number
    try {
      port = await ports.take()
    } catch (error) {
      logger.error(`runner ${name}: no free port found: ${messageOf(error)}`)
      if (!isOver) wait(FIXED.crashBackoffMs)
      return
    }
    if (isOver) ports.release(port)
    else onDue(port, cameFrom)
  }
  const wait = (ms: number): void => {
    isWaiting = true
    const detail = `it is started in ${ms} ms`
    if (cameFrom === undefined) tell({ name, pid: undefined, from: cameFrom, to: 'crash_backoff', detail })
    cameFrom = 'crash_backoff'
    cancelWait = clock.after(ms, () => void choose())
  }
  if (delayMs > 0) wait(delayMs)
  else void choose()

  return {
    hurry: () => {
      if (!isWaiting) return
      cancelWait()
      void choose()
    },
    cancel: (reason) => {
      cancelWait()
      isOver = true
      if (cameFrom !== undefined) tell({ name, pid: undefined, from: cameFrom, to: 'gone', reason })
    },
    snapshot: () => ({
      name,
      pid: undefined,
      state: cameFrom ?? 'starting',
      direct: 0,
      queued: 0,
      served: 0,
      isHeld: false,
    }),
  }
}
