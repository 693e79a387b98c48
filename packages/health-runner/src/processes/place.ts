import { crashBackoff } from '../rules/crash-backoff.ts'
import { FIXED } from '../settings/defaults.ts'
import type { RunnerSnapshot } from '../vocabulary/fleet.ts'
import type { EndReason, RunnerState } from '../vocabulary/runner-state.ts'
import { type Coming, expectProcess } from './coming.ts'
import { type Runner, startRunner } from './runner.ts'
import type { Shared } from './shared.ts'

/** Where one runner is to be, by one process after the other. */
export interface Place {
  /** The process that is there to serve, or will be. */
  readonly runner: Runner | undefined
  /** There is to be a runner here. */
  open(): void
  /** There is to be none any more. What is in flight goes on. */
  close(): void
  /** Ends all processes at once. Resolves when none is left. */
  stop(): Promise<void>
  snapshot(): readonly RunnerSnapshot[]
}

const CRASHES: readonly (EndReason | undefined)[] = ['exited', 'setup_failed', 'start_timed_out']

export function createPlace(index: number, shared: Shared): Place {
  const processes = new Set<Runner>()
  let isOpen = false
  let coming: Coming | undefined
  let number = 0
  /** Processes in a row that died without having served. */
  let crashes = 0
  let lastCrashed: Runner | undefined
  let tellEmpty = (): void => {}

  const current = (): Runner | undefined => {
    for (const runner of processes) if (runner.reason === undefined) return runner
    return undefined
  }
  const fill = (): void => {
    const isTooEarly = shared.settings.replace === 'stop_first' && processes.size > 0
    if (!isOpen || isTooEarly || coming !== undefined || current() !== undefined) return
    number += 1
    const name = `${index + 1}.${number}`
    const delayMs = crashBackoff(crashes, FIXED.crashBackoffMs, FIXED.maxCrashBackoffMs)
    coming = expectProcess({ ...shared, name, delayMs, onDue: (port, from) => start(name, port, from) })
  }
  const start = (name: string, port: number, cameFrom: RunnerState | undefined): void => {
    coming = undefined
    const runner = startRunner({ place: index, number, name }, port, {
      ...shared,
      cameFrom,
      onServed: () => {
        // an answer that was on its way when its process died counts, too
        if (runner !== current() && runner !== lastCrashed) return
        crashes = 0
        if (runner === lastCrashed) coming?.hurry()
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
    coming?.cancel(reason)
    coming = undefined
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
      ...(coming === undefined ? [] : [coming.snapshot()]),
    ],
  }
}
