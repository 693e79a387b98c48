import type { RunnerAddress } from '../vocabulary/fleet.ts'
import type { EndReason, RunnerState } from '../vocabulary/runner-state.ts'
import { RUNNER_HOST } from './free-ports.ts'
import { launch } from './launch.ts'
import { openGate } from './ready-gate.ts'
import type { Shared } from './shared.ts'
import { createTermination } from './terminate.ts'

export interface RunnerProcessParts extends Shared {
  /** Where it waited for its start. */
  readonly cameFrom: RunnerState | undefined
  onReady(): void
  /** Once, before the state changes for it. */
  onLeaving(reason: EndReason): void
  /** The process ended before it was sent SIGTERM. */
  onOwnDeath(): void
  /** Once: the process that follows may be started. */
  onReplaceable(): void
  /** Once: no process of it is left. */
  onGone(): void
}

/** The states of one process, from its start to its end. */
export interface RunnerProcess {
  readonly address: RunnerAddress
  readonly state: RunnerState | 'gone'
  /** Whether the process may receive requests. */
  readonly isReady: boolean
  /** Whether the process has ended and its exit is not reported yet. */
  readonly hasEnded: boolean
  /** Why the process is being ended or has ended. */
  readonly reason: EndReason | undefined
  /** Call when a ready process gets its first request in flight, and when it has none any more. */
  busy(isBusy: boolean): void
  /** Lets the requests in flight finish within `withinMs`. The replacement starts at once, or with the SIGTERM. */
  drain(reason: EndReason, detail: string, withinMs: number, replaceAt: 'once' | 'sigterm'): void
  /** While draining: shortens the remaining time to `withinMs` from now. */
  hasten(withinMs: number): void
  /** While draining: ends the drain, since no request that counts is in flight. */
  endDraining(): void
  terminate(reason: EndReason, detail: string): void
}

/** Starts the process on this port. Never throws: a failed start is reported as an exit. */
export function startRunnerProcess(name: string, port: number, parts: RunnerProcessParts): RunnerProcess {
  const { settings, clock, logger, control, keeper } = parts
  let state: RunnerState | 'gone' | undefined = parts.cameFrom
  let reason: EndReason | undefined
  let detail: string | undefined
  let isReplaceable = false
  let cancelTermination = (): void => {}
  let terminateAt = Number.POSITIVE_INFINITY

  const isReady = (): boolean => state === 'idle' || state === 'running'
  const move = (to: RunnerState | 'gone'): void => {
    const from = state === 'gone' ? undefined : state
    state = to
    parts.tell({ name, pid: child.pid, from, to, reason, detail })
  }
  const replaceable = (): void => {
    if (isReplaceable || (settings.replace === 'stop_first' && state !== 'gone')) return
    isReplaceable = true
    parts.onReplaceable()
  }
  const leave = (why: EndReason, words: string): void => {
    if (reason !== undefined) return
    reason = why
    detail = words
    gate.close()
    if (why !== 'scaled_down' && why !== 'stopped') logger.warn(`runner ${name}: ${why}: ${words}`)
    parts.onLeaving(why)
  }
  const terminate = (): void => {
    cancelTermination()
    if (state === 'terminating' || state === 'gone') return
    move('terminating')
    termination.terminate()
    replaceable()
  }
  const hasten = (withinMs: number): void => {
    const at = clock.now() + withinMs
    if (at >= terminateAt) return
    terminateAt = at
    cancelTermination()
    cancelTermination = clock.after(withinMs, terminate)
  }
  const end = (why: EndReason, words: string): void => {
    leave(why, words)
    terminate()
  }
  const exited = (how: string): void => {
    cancelTermination()
    if (reason !== undefined && state === 'draining') parts.onOwnDeath()
    leave('exited', how)
    detail = how
    if (child.isGroupAlive()) terminate()
    termination.exited()
  }
  const gone = (): void => {
    move('gone')
    mute()
    parts.ports.release(port)
    if (child.pid !== undefined) keeper.unwatch(child.pid, name)
    parts.onGone()
    replaceable()
  }

  const { child, isForeign } = launch({ name, port }, parts, exited)
  const termination = createTermination({
    process: child,
    clock,
    killAfterMs: settings.killAfterMs,
    onGone: gone,
  })
  const mute = control.expect(name, (word) => gate.hear(word))
  const gate = openGate({
    port,
    clock,
    startTimeoutMs: settings.startTimeoutMs,
    isForeign,
    onSetup: () => move('setup'),
    onReady: () => {
      move('idle')
      parts.onReady()
    },
    onFailed: end,
  })
  move('starting')

  return {
    address: { name, pid: child.pid ?? 0, host: RUNNER_HOST, port },
    get state() {
      return state ?? 'starting'
    },
    get isReady() {
      return isReady()
    },
    get hasEnded() {
      return child.hasEnded()
    },
    get reason() {
      return reason
    },
    busy: (isBusy) => {
      if (isReady() && (state === 'running') !== isBusy) move(isBusy ? 'running' : 'idle')
    },
    drain: (why, words, withinMs, replaceAt) => {
      leave(why, words)
      move('draining')
      hasten(withinMs)
      if (replaceAt === 'once') replaceable()
    },
    hasten,
    endDraining: () => {
      if (state === 'draining') terminate()
    },
    terminate: end,
  }
}
