import { createProblems } from '@baldur/health-core/shared'
import { pause } from './clock.ts'
import type { Drain, DrainResult } from './drain.ts'
import { type Hook, orderHooks } from './hooks/order-hooks.ts'
import { runHooks } from './hooks/run-hooks.ts'
import type { DrainableServer, DrainOptions } from './options.ts'
import { LIMITS } from './plan/defaults.ts'
import { explainPlan } from './plan/explain.ts'
import { readDrainSettings } from './plan/read-settings.ts'
import { closeListener } from './server/close-listener.ts'
import { createConnections } from './server/connections.ts'
import { createGate, type Manner } from './server/gate.ts'
import { createInFlight } from './server/in-flight.ts'
import { tellLongLived } from './server/long-lived.ts'
import { watchServer } from './server/watch-server.ts'

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
  const watched = new Map<DrainableServer, () => void>()
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
    await Promise.all([...watched.keys()].map((server) => closeListener(server, accepted, bounds)))
    for (const [server, release] of watched) {
      // one that was told to listen and has not begun, or is told so later
      const close = (): unknown => server.close(() => undefined)
      server.on('listening', close)
      watched.set(server, () => {
        release()
        server.off('listening', close)
      })
    }
  }
  /** Until nothing runs and no connection is left, or until the time of requests is over. */
  const untilQuiet = async (lateAt: number): Promise<void> => {
    const [lingerEnd, end] = [lateAt + plan.lingerMs, lateAt + plan.requestTimeoutMs]
    while (clock.now() < end) {
      await connections.sweep(clock.now() >= lingerEnd)
      if (inFlight.isEmpty && connections.size === 0) return
      await pause(clock, Math.min(SWEEP_MS, end - clock.now()))
    }
  }
  const abortRest = (): readonly string[] => {
    const labels = inFlight.abortAll()
    abortedCount = labels.length
    if (labels.length > 0) {
      const shown =
        labels.slice(0, 20).join(', ') + (labels.length > 20 ? ` and ${labels.length - 20} more` : '')
      logger.error(
        `drain: aborted ${labels.length} still running after ${plan.requestTimeoutMs} ms: ${shown}`,
      )
    }
    return labels
  }

  const run = async (reason: string): Promise<DrainResult> => {
    const startedAt = clock.now()
    const until = (ms: number): Promise<void> => pause(clock, startedAt + ms - clock.now())
    // behind no server there is no balancer that has to notice
    const delayMs = watched.size > 0 || gate.admitted > 0 ? plan.shutdownDelayMs : 0
    stage = 'leaving'
    gate.begin()
    logger.info(`drain: begins (${reason}), ${inFlight.count} in flight`)
    controller.abort(new Error(`the drain has begun (${reason})`))
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
    void tellLongLived([...connections.upgrades, ...gate.events()], onUpgraded, plan.hookTimeoutMs, LIMITS, {
      clock,
      logger,
    })
    await untilQuiet(lateAt)
    const aborted = abortRest()
    connections.destroyAll()

    stage = 'terminating'
    steps?.terminating()
    const { order, circular } = orderHooks(hooks)
    if (circular.length > 0) logger.warn(`drain: shutdown hooks wait for each other: ${circular.join(', ')}`)
    const failedHooks = await runHooks(order, plan.hookTimeoutMs, { clock, logger })
    stage = 'terminated'
    steps?.terminated()
    close()
    const durationMs = Math.round(clock.now() - startedAt)
    const isClean = aborted.length === 0 && failedHooks.length === 0
    logger.info(`drain: ended after ${durationMs} ms${isClean ? '' : ', not clean'}`)
    return { reason, isClean, aborted, failedHooks, durationMs }
  }
  const close = (): void => {
    for (const release of watched.values()) release()
    watched.clear()
  }

  return {
    start: (reason = 'start was called') => {
      running ??= run(reason)
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
      if ('then' in work) {
        const remove = (): void => inFlight.remove(work)
        if (inFlight.add(work, { label })) work.then(remove, remove)
      } else if (inFlight.add(work, { label, abort: () => void work.destroy() })) {
        work.once('close', () => inFlight.remove(work))
      }
      return work
    },
    watch,
    admit: gate.admit,
    onShutdown: (name, run, { timeoutMs, after = [] } = {}) => {
      const problems = createProblems()
      const isName = typeof name === 'string' && name !== ''
      if (!isName) problems.add('onShutdown.name', 'a text', name)
      if (hooks.some((hook) => hook.name === name))
        problems.addText('onShutdown.name', 'a name of its own', `"${name}" twice`)
      if (typeof run !== 'function') problems.add('onShutdown.run', 'a function', run)
      const max = plan.hookTimeoutMs
      const isTime = typeof timeoutMs === 'number' && timeoutMs >= 0 && timeoutMs <= max
      if (timeoutMs !== undefined && !isTime) {
        problems.add('onShutdown.timeoutMs', `0 to hookTimeoutMs (${max}) milliseconds`, timeoutMs)
      }
      problems.throwIfAny()
      const hook = { name, run, timeoutMs, after: typeof after === 'string' ? [after] : [...after] }
      hooks = [...hooks, hook]
      return () => {
        hooks = hooks.filter((one) => one !== hook)
      }
    },
    explain: () => explainPlan(plan, lateRequests),
    close: () => {
      if (running === undefined) close()
    },
  }
}
