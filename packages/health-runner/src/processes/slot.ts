import { crashBackoff } from '../rules/crash-backoff.ts'
import { FIXED } from '../settings/defaults.ts'
import type { RunnerSnapshot } from '../vocabulary/fleet.ts'
import type { EndReason, RunnerState } from '../vocabulary/runner-state.ts'
import { createPendingStart, type PendingStart } from './pending-start.ts'
import { type Runner, startRunner } from './runner.ts'
import type { Shared } from './shared.ts'

/** Slot for one runner, filled by one process after another. */
export interface Slot {
  /** The process that serves in this slot, or is starting. */
  readonly runner: Runner | undefined
  /** Fills the slot with a runner. */
  open(): void
  /** Empties the slot. Requests in flight continue. */
  close(): void
  /** Ends all processes at once. Resolves when all have exited. */
  stop(): Promise<void>
  snapshot(): readonly RunnerSnapshot[]
}

const CRASHES: readonly (EndReason | undefined)[] = ['exited', 'setup_failed', 'start_timed_out']

export function createSlot(index: number, shared: Shared): Slot {
  const processes = new Set<Runner>()
  let isOpen = false
  let pendingStart: PendingStart | undefined
  let number = 0
  /** Number of consecutive processes that died before they answered a request. */
  let crashes = 0
  let lastCrashed: Runner | undefined
  let tellEmpty = (): void => {}

  const current = (): Runner | undefined => {
    for (const runner of processes) if (runner.reason === undefined) return runner
    return undefined
  }
  const fill = (): void => {
    const isTooEarly = shared.settings.replace === 'stop_first' && processes.size > 0
    if (!isOpen || isTooEarly || pendingStart !== undefined || current() !== undefined) return
    number += 1
    const name = `${index + 1}.${number}`
    const delayMs = crashBackoff(crashes, FIXED.crashBackoffMs, FIXED.maxCrashBackoffMs)
    pendingStart = createPendingStart({
      ...shared,
      name,
      delayMs,
      onDue: (port, from) => start(name, port, from),
    })
  }
  const start = (name: string, port: number, cameFrom: RunnerState | undefined): void => {
    pendingStart = undefined
    const runner = startRunner({ slot: index, number, name }, port, {
      ...shared,
      cameFrom,
      onServed: () => {
        // an answer that was in transit when its process died counts, too
        if (runner !== current() && runner !== lastCrashed) return
        crashes = 0
        if (runner === lastCrashed) pendingStart?.hurry()
      },
      onReplaceable: () => {
        const hasCrashed = CRASHES.includes(runner.reason)
        if (hasCrashed) crashes = runner.served === 0 ? crashes + 1 : 0
        lastCrashed = hasCrashed ? runner : undefined
        fill()
      },
      onGone: () => {
        processes.delete(runner)
        if (processes.size === 0) tellEmpty()
      },
    })
    processes.add(runner)
  }
  const cancelComing = (reason: EndReason): void => {
    pendingStart?.cancel(reason)
    pendingStart = undefined
  }

  return {
    get runner() {
      return current()
    },
    open: () => {
      isOpen = true
      fill()
    },
    close: () => {
      isOpen = false
      cancelComing('scaled_down')
      for (const runner of processes) runner.retire()
    },
    stop: () => {
      isOpen = false
      cancelComing('stopped')
      for (const runner of processes) runner.stop()
      return processes.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            tellEmpty = resolve
          })
    },
    snapshot: () => [
      ...[...processes].map((runner) => runner.snapshot()),
      ...(pendingStart === undefined ? [] : [pendingStart.snapshot()]),
    ],
  }
}
