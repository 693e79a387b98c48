import { isOfSilence } from '../rules/guard.ts'
import { judgeSign } from '../rules/judge-sign.ts'
import { FIXED } from '../settings/defaults.ts'
import type { Lease, RequestKind, RunnerSnapshot } from '../vocabulary/fleet.ts'
import type { EndReason } from '../vocabulary/runner-state.ts'
import type { Sign } from '../vocabulary/sign.ts'
import type { Guarded } from './guard.ts'
import { startHealthCalls } from './health-calls.ts'
import { createLease } from './lease.ts'
import { type LifeParts, startLife } from './life.ts'
import type { Shared } from './shared.ts'
import { createSuspicion } from './suspicion.ts'

export interface RunnerParts extends Shared, Pick<LifeParts, 'cameFrom' | 'onReplaceable' | 'onGone'> {
  /** It has answered a request below 500. */
  onServed(): void
}

/** One process of a place, and the requests that it is given. */
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
    if (total() === 0) life.terminate(reason, detail)
    else life.drain(reason, detail, settings.requestTimeoutMs, 'once')
  }
  const answered503 = (lease: Lease): void => {
    if (life.state === 'draining') {
      last = lease
      life.hasten(FIXED.ill503Ms)
    }
    if (!life.isReady) return
    guard.judge(guarded, 'answered_503', () => {
      last = lease
      life.drain('answered_503', 'it answered with status 503', FIXED.ill503Ms, 'sigterm')
    })
  }
  const suspicion = createSuspicion({
    clock,
    hasEnded: () => life.hasEnded,
    onIll: (type) => {
      guard.judge(guarded, 'connection_broken', () => shutDown('connection_broken', type))
      if (life.isReady) parts.onRoom()
    },
  })
  const serve = (): void => {
    served += 1
    guard.answeredWell(guarded)
    parts.onServed()
  }
  const judge = (lease: Lease, sign: Sign, wasIll: boolean): void => {
    const verdict = judgeSign(sign)
    if (verdict === 'well') serve()
    if (verdict === 'answered_503' && !wasIll) answered503(lease)
    if (!life.isReady) return
    if (sign.kind === 'broken') suspicion.begin(sign.type)
    if (sign.kind !== 'timed_out') return
    const words = `a request took longer than ${settings.requestTimeoutMs} ms`
    guard.judge(guarded, 'timed_out', () => shutDown('timed_out', words))
  }
  const afterRequest = (lease: Lease): void => {
    if (lease === last || total() === 0) life.endDraining()
    if (total() === 0) life.busy(false)
    if (life.isReady && !suspicion.isOpen) parts.onRoom()
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

  const life = startLife(guarded.name, port, {
    ...parts,
    onReady: () => {
      watchHealth()
      parts.onRoom()
    },
    onLeaving: () => {
      stopCalls()
      suspicion.drop()
      guard.leaves(guarded)
    },
    onOwnDeath: () => guard.diedByItself(guarded),
  })

  return {
    ...guarded,
    isFree: (kind) => life.isReady && !suspicion.isOpen && counts[kind] < limits[kind],
    get isReady() {
      return life.isReady
    },
    get isIdle() {
      return life.state === 'idle'
    },
    get isHeld() {
      return guard.heldFor(guarded) !== undefined
    },
    get reason() {
      return life.reason
    },
    get served() {
      return served
    },
    lease: (kind) => {
      counts[kind] += 1
      life.busy(true)
      return createLease({
        runner: life.address,
        onIllHead: answered503,
        onEnd: (lease, sign, wasIll) => {
          counts[kind] -= 1
          judge(lease, sign, wasIll)
          afterRequest(lease)
        },
      })
    },
    retire: () => {
      if (life.reason !== undefined) return
      if (life.isReady) shutDown('scaled_down', 'there are to be fewer runners')
      else life.terminate('scaled_down', 'there are to be fewer runners')
    },
    stop: () => life.terminate('stopped', 'all runners are ended'),
    snapshot: () => ({
      name: guarded.name,
      pid: life.address.pid || undefined,
      state: life.state === 'gone' ? 'terminating' : life.state,
      ...counts,
      served,
      isHeld: guard.heldFor(guarded) !== undefined,
    }),
  }
}
