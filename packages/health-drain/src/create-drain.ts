import type { ServerResponse } from 'node:http'
import { createProblems, hasFunctions, tell } from '@baldur/health-core/shared'
import { comesWithin, pause } from './clock.ts'
import type { Drain, DrainResult } from './drain.ts'
import { type Hook, orderHooks } from './hooks/order-hooks.ts'
import { readHook } from './hooks/read-hook.ts'
import { runHooks } from './hooks/run-hooks.ts'
import type { DrainableServer, DrainOptions } from './options.ts'
import { LIMITS } from './plan/defaults.ts'
import { explainPlan } from './plan/explain.ts'
import { type Plan, shrinkPlan } from './plan/plan.ts'
import { readDrainSettings } from './plan/read-settings.ts'
import { closeListener } from './server/close-listener.ts'
import { createConnections } from './server/connections.ts'
import { createGate, type Manner } from './server/gate.ts'
import { createInFlight } from './server/in-flight.ts'
import { endLongLived } from './server/long-lived.ts'
import { type WatchedServer, watchServer } from './server/watch-server.ts'

const SWEEP_MS = 25

type Stage = 'serving' | 'leaving' | 'settling' | 'late' | 'terminating' | 'terminated'

/** How requests are met in each stage, before the option for late ones. */
const MANNERS: Readonly<Record<Stage, Manner>> = {
  serving: { isLeaving: false, close: false, refuse: false },
  leaving: { isLeaving: true, close: true, refuse: false },
  settling: { isLeaving: true, close: false, refuse: false },
  late: { isLeaving: true, close: true, refuse: true },
  terminating: { isLeaving: true, close: true, refuse: true },
  terminated: { isLeaving: true, close: true, refuse: true },
}

/** Makes the drain of a service. Throws a `HealthConfigError` that lists every problem with options, variables and their sum; nothing else throws later. */
export function createDrain(options?: DrainOptions): Drain {
  const { servers, health, plan, lateRequests, exempt, retryAfterSeconds, onUpgraded, logger, clock } =
    readDrainSettings(options)
  let stage: Stage = 'serving'
  const manner = (): Manner => {
    const usual = MANNERS[stage]
    return lateRequests === 'reject' || !usual.refuse ? usual : { ...usual, refuse: false }
  }
  const inFlight = createInFlight()
  const connections = createConnections(clock, LIMITS)
  const gate = createGate({ inFlight, connections, health, exempt, retryAfterSeconds, manner, clock })
  const hasListened = new WeakSet<DrainableServer>()
  const watched = new Map<DrainableServer, WatchedServer>()
  const watch = (server: DrainableServer): void => {
    if (!watched.has(server)) watched.set(server, watchServer(server, { connections, gate, manner }))
  }
  servers.forEach(watch)
  const controller = new AbortController()
  let hooks: readonly Hook[] = []
  let abortedCount = 0
  let running: Promise<DrainResult> | undefined
  let steps: { terminating(): void; terminated(): void } | undefined

  const tellHealth = (): void => {
    steps ??= health?.beginDrain({ retryAfterSeconds, inFlight: () => inFlight.count })
  }
  const closeListeners = async (): Promise<void> => {
    const accepted = (): number => connections.acceptedCount
    const bounds = { clock, quietMs: LIMITS.quietMs }
    for (const server of watched.keys()) if (server.listening) hasListened.add(server)
    await Promise.all([...watched.keys()].map((server) => closeListener(server, accepted, bounds)))
    for (const [server, watch] of watched) {
      // one that was told to listen and has not begun, or is told so later
      const close = (): unknown => server.close()
      server.on('listening', close)
      const letGo = (how: () => void) => (): void => {
        server.off('listening', close)
        how()
      }
      watched.set(server, { ...watch, end: letGo(watch.end), release: letGo(watch.release) })
    }
  }
  const ended = new WeakSet<object>()
  /** Also those that have come since the listener closed. */
  const endLongLivedOnes = ({ hookTimeoutMs: shareMs }: Plan): void => {
    for (const open of [...connections.upgrades, ...gate.events()]) {
      const subject = open.socket ?? open.response ?? open.stream ?? open
      if (ended.has(subject)) continue
      ended.add(subject)
      void endLongLived(open, { onUpgraded, shareMs, silentMs: LIMITS.silentMs, clock, logger })
    }
  }
  /** Until nothing runs and no connection is left, or until the time of requests is over. */
  const untilQuiet = async (lateAt: number, plan: Plan): Promise<void> => {
    const [lingerEnd, end] = [lateAt + plan.lingerMs, lateAt + plan.requestTimeoutMs]
    while (clock.now() < end) {
      endLongLivedOnes(plan)
      await connections.sweep(clock.now() >= lingerEnd)
      if (inFlight.isEmpty && connections.size === 0) return
      await pause(clock, Math.min(SWEEP_MS, end - clock.now()))
    }
  }
  const abortRest = (afterMs: number): readonly string[] => {
    const labels = inFlight.abortAll()
    abortedCount = labels.length
    if (labels.length > 0) {
      const shown =
        labels.slice(0, 20).join(', ') + (labels.length > 20 ? ` and ${labels.length - 20} more` : '')
      logger.error(`drain: aborted ${labels.length} still running after ${afterMs} ms: ${shown}`)
    }
    return labels
  }

  /** Also hooks that are registered by hooks. */
  const runAllHooks = async (totalMs: number): Promise<readonly string[]> => {
    const end = clock.now() + totalMs
    const done = new Set<Hook>()
    const failed: string[] = []
    for (;;) {
      const waiting = hooks.filter((hook) => !done.has(hook))
      if (waiting.length === 0) return failed
      for (const hook of waiting) done.add(hook)
      const { order, circular } = orderHooks(waiting)
      if (circular.length > 0)
        logger.warn(`drain: shutdown hooks wait for each other: ${circular.join(', ')}`)
      failed.push(...(await runHooks(order, Math.max(0, end - clock.now()), { clock, logger })))
    }
  }

  const run = async (reason: string, plan: Plan): Promise<DrainResult> => {
    const startedAt = clock.now()
    const until = (ms: number): Promise<void> => pause(clock, startedAt + ms - clock.now())
    const delayMs = plan.shutdownDelayMs
    stage = 'leaving'
    gate.begin()
    logger.info(`drain: begins (${reason}), ${inFlight.count} in flight`)
    if (plan.readinessDelayMs === 0 || delayMs === 0) tellHealth()
    else void until(plan.readinessDelayMs).then(tellHealth)

    if (delayMs > 0) {
      await until(delayMs - plan.settleMs)
      stage = 'settling'
      await until(delayMs)
      tellHealth()
      // answers that are under way were told to keep their connection: from here on none is
      await closeListeners()
      stage = 'late'
    } else {
      stage = 'late'
      await closeListeners()
    }
    const lateAt = clock.now()
    connections.goAway()
    await untilQuiet(lateAt, plan)
    const aborted = abortRest(plan.requestTimeoutMs)
    connections.destroyAll()
    // also those that were open before this drain was made
    for (const server of watched.keys()) server.closeAllConnections?.()
    // its own listeners hear that it has closed before the hooks run
    const listened = [...watched].filter(([server]) => hasListened.has(server))
    await comesWithin(clock, LIMITS.halfOpenMs, Promise.all(listened.map(([, watch]) => watch.closed)))

    stage = 'terminating'
    steps?.terminating()
    const failedHooks = await runAllHooks(plan.hookTimeoutMs)
    stage = 'terminated'
    steps?.terminated()
    for (const watch of watched.values()) watch.end()
    watched.clear()
    const durationMs = Math.round(clock.now() - startedAt)
    const isClean = aborted.length === 0 && failedHooks.length === 0
    logger.info(`drain: ended after ${durationMs} ms${isClean ? '' : ', not clean'}`)
    return { reason, isClean, aborted, failedHooks, durationMs }
  }
  /** Behind no server, and with no health, there is no balancer that has to notice. */
  const planNow = (): Plan =>
    watched.size > 0 || health !== undefined
      ? plan
      : { ...plan, shutdownDelayMs: 0, readinessDelayMs: 0, settleMs: 0, lingerMs: 0 }
  const close = (): void => {
    for (const watch of watched.values()) watch.release()
    watched.clear()
  }

  return {
    start: (reason = 'start was called', { withinMs } = {}) => {
      if (running === undefined) {
        running = run(reason, shrinkPlan(planNow(), withinMs))
        // whoever hears it may ask for the promise
        controller.abort(new Error(`the drain has begun (${reason})`))
      }
      return running
    },
    get phase() {
      if (stage === 'terminating' || stage === 'terminated') return stage
      if (stage !== 'serving') return 'draining'
      return health?.phase ?? 'started'
    },
    signal: controller.signal,
    stats: () => ({
      inFlight: inFlight.count,
      connections: connections.size,
      refused: gate.refused,
      aborted: abortedCount,
    }),
    track: (work, label = 'tracked work') => {
      const problems = createProblems()
      const isPromise = hasFunctions(work, ['then'])
      if (!isPromise && !hasFunctions(work, ['once', 'destroy'])) {
        problems.add('track', 'a promise, or the response of a request', work)
      }
      problems.throwIfAny()
      if (isPromise) {
        if (!inFlight.add(work, { label })) return work
        const remove = (): void => inFlight.remove(work)
        // a rejection that its owner forgets would be silent, now that somebody has listened for it
        ;(work as PromiseLike<unknown>).then(remove, (error: unknown) => {
          remove()
          logger.warn(`drain: ${label} failed: ${tell(error)}`)
        })
        return work
      }
      const response = work as ServerResponse
      if (response.destroyed || response.writableFinished) return work
      if (inFlight.add(response, { label, abort: () => void response.destroy() })) {
        response.once('close', () => inFlight.remove(response))
      }
      return work
    },
    watch,
    admit: gate.admit,
    onShutdown: (name, run, options = {}) => {
      const isTaken = (other: string): boolean => hooks.some((hook) => hook.name === other)
      const hook = readHook(name, run, options, { maxMs: plan.hookTimeoutMs, isTaken })
      if (stage === 'terminated') logger.warn(`drain: shutdown hook ${name} comes too late and is not run`)
      hooks = [...hooks, hook]
      return () => {
        hooks = hooks.filter((one) => one !== hook)
      }
    },
    explain: () => explainPlan(planNow(), lateRequests),
    close: () => {
      if (running === undefined) close()
    },
  }
}
