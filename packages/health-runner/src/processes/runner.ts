import { classifyOutcome } from '../rules/classify-outcome.ts'
import { isOfSilence } from '../rules/guard.ts'
import { FIXED } from '../settings/defaults.ts'
import type { Lease, RequestKind, RunnerSnapshot } from '../vocabulary/fleet.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'
import type { EndReason } from '../vocabulary/runner-state.ts'
import { createBreakConfirmation } from './break-confirmation.ts'
import type { Guarded } from './guard.ts'
import { startHealthCalls } from './health-calls.ts'
import { createLease } from './lease.ts'
import { type RunnerProcessParts, startRunnerProcess } from './runner-process.ts'
import type { Shared } from './shared.ts'

export interface RunnerParts
  extends Shared,
    Pick<RunnerProcessParts, 'cameFrom' | 'onReplaceable' | 'onGone'> {
  /** It has answered a request below 500. */
  onServed(): void
}

/** One process of a slot, and the requests that it is given. */
export interface Runner extends Guarded {
  /** It may be given a request of this kind now. */
  isFree(kind: RequestKind): boolean
  readonly isReady: boolean
  readonly isIdle: boolean
  readonly isHeld: boolean
  /** Why it leaves, or has left. */
  readonly reason: EndReason | undefined
  readonly served: number
  /** For one that is free. */
  lease(kind: RequestKind): Lease
  /** Lets it finish what it has, and ends it. */
  retire(): void
  /** Ends it at once. */
  stop(): void
  snapshot(): RunnerSnapshot
}

/** Starts the process on this port. Never throws: what cannot be started has ended. */
export function startRunner(guarded: Guarded, port: number, parts: RunnerParts): Runner {
  const { settings, clock, logger, guard } = parts
  const limits = { direct: settings.directConcurrency, queued: settings.queuedConcurrency }
  const counts = { direct: 0, queued: 0 }
  let served = 0
  /** The 503 that ends it: SIGTERM comes when it has been answered. */
  let last: Lease | undefined
  let stopCalls = (): void => {}

  const total = (): number => counts.direct + counts.queued
  const shutDown = (reason: EndReason, detail: string): void => {
    if (total() === 0) runnerProcess.terminate(reason, detail)
    else runnerProcess.drain(reason, detail, settings.requestTimeoutMs, 'once')
  }
  const answered503 = (lease: Lease): void => {
    if (runnerProcess.state === 'draining') {
      last = lease
      runnerProcess.hasten(FIXED.ill503Ms)
    }
    if (!runnerProcess.isReady) return
    guard.judge(guarded, 'answered_503', () => {
      last = lease
      runnerProcess.drain('answered_503', 'it answered with status 503', FIXED.ill503Ms, 'sigterm')
    })
  }
  const confirmation = createBreakConfirmation({
    clock,
    hasEnded: () => runnerProcess.hasEnded,
    onUnhealthy: (type) => {
      guard.judge(guarded, 'connection_broken', () => shutDown('connection_broken', type))
      if (runnerProcess.isReady) parts.onRoom()
    },
  })
  const serve = (): void => {
    served += 1
    guard.answeredWell(guarded)
    parts.onServed()
  }
  const judge = (lease: Lease, outcome: RequestOutcome, wasIll: boolean): void => {
    const verdict = classifyOutcome(outcome)
    if (verdict === 'healthy') serve()
    if (verdict === 'answered_503' && !wasIll) answered503(lease)
    if (!runnerProcess.isReady) return
    if (outcome.kind === 'broken') confirmation.begin(outcome.type)
    if (outcome.kind !== 'timed_out') return
    const words = `a request took longer than ${settings.requestTimeoutMs} ms`
    guard.judge(guarded, 'timed_out', () => shutDown('timed_out', words))
  }
  const afterRequest = (lease: Lease): void => {
    if (lease === last || total() === 0) runnerProcess.endDraining()
    if (total() === 0) runnerProcess.busy(false)
    if (runnerProcess.isReady && !confirmation.isOpen) parts.onRoom()
  }

  const watchHealth = (): void => {
    const { healthCheck } = settings
    if (healthCheck === undefined) return
    stopCalls = startHealthCalls(healthCheck, {
      port,
      clock,
      onGood: () => {
        const held = guard.heldFor(guarded)
        if (held !== undefined && isOfSilence(held)) guard.free(guarded)
      },
      onFailing: (detail) =>
        guard.judge(guarded, 'health_check_failed', () => shutDown('health_check_failed', detail)),
      onUnasked: (detail) =>
        logger.warn(`runner ${guarded.name}: its health check could not be asked: ${detail}`),
    })
  }

  const runnerProcess = startRunnerProcess(guarded.name, port, {
    ...parts,
    onReady: () => {
      watchHealth()
      parts.onRoom()
    },
    onLeaving: () => {
      stopCalls()
      confirmation.drop()
      guard.leaves(guarded)
    },
    onOwnDeath: () => guard.diedByItself(guarded),
  })

  return {
    ...guarded,
    isFree: (kind) => runnerProcess.isReady && !confirmation.isOpen && counts[kind] < limits[kind],
    get isReady() {
      return runnerProcess.isReady
    },
    get isIdle() {
      return runnerProcess.state === 'idle'
    },
    get isHeld() {
      return guard.heldFor(guarded) !== undefined
    },
    get reason() {
      return runnerProcess.reason
    },
    get served() {
      return served
    },
    lease: (kind) => {
      counts[kind] += 1
      runnerProcess.busy(true)
      return createLease({
        runner: runnerProcess.address,
        onIllHead: answered503,
        onEnd: (lease, outcome, wasIll) => {
          counts[kind] -= 1
          judge(lease, outcome, wasIll)
          afterRequest(lease)
        },
      })
    },
    retire: () => {
      if (runnerProcess.reason !== undefined) return
      if (runnerProcess.isReady) shutDown('scaled_down', 'there are to be fewer runners')
      else runnerProcess.terminate('scaled_down', 'there are to be fewer runners')
    },
    stop: () => runnerProcess.terminate('stopped', 'all runners are ended'),
    snapshot: () => ({
      name: guarded.name,
      pid: runnerProcess.address.pid || undefined,
      state: runnerProcess.state === 'gone' ? 'terminating' : runnerProcess.state,
      ...counts,
      served,
      isHeld: guard.heldFor(guarded) !== undefined,
    }),
  }
}
