import type { Drain, DrainResult } from './drain.ts'
import { createHookList } from './hooks/hook-list.ts'
import { readHook } from './hooks/read-hook.ts'
import type { DrainOptions } from './options.ts'
import { LIMITS } from './plan/defaults.ts'
import { explainPlan } from './plan/explain.ts'
import { hasten, momentsOf } from './plan/moments.ts'
import type { Plan } from './plan/plan.ts'
import { readDrainSettings } from './plan/read-settings.ts'
import { readWithin } from './plan/read-within.ts'
import { createConnections } from './server/connections.ts'
import { createGate, type Manner } from './server/gate.ts'
import { createInFlight } from './server/in-flight.ts'
import { endLongLived } from './server/long-lived.ts'
import { createServers } from './server/servers.ts'
import { createTrack } from './track.ts'
import { createWaits } from './waits.ts'

const SWEEP_MS = 25

type Stage = 'serving' | 'leaving' | 'settling' | 'late' | 'terminating' | 'terminated'

/** How requests are met in each stage, before the option for late ones. */
const MANNERS: Readonly<Record<Stage, Manner>> = {
  serving: { isLeaving: false, close: false, refuse: false },
  leaving: { isLeaving: true, close: true, refuse: false },
  settling: { isLeaving: true, close: false, refuse: false },
  late: { isLeaving: true, close: true, refuse: true },
  // what hooks close is gone: in these two nothing is served, whatever the option says
  terminating: { isLeaving: true, close: true, refuse: true },
  terminated: { isLeaving: true, close: true, refuse: true },
}

/** Makes the drain of a service. Throws a `HealthConfigError` that lists every problem with options, variables and their sum; nothing else throws later. */
export function createDrain(options?: DrainOptions): Drain {
  const settings = readDrainSettings(options)
  const { health, plan, lateRequests, exempt, retryAfterSeconds, onUpgraded, logger, clock } = settings
  let stage: Stage = 'serving'
  const manner = (): Manner => {
    const usual = MANNERS[stage]
    return stage === 'late' && lateRequests === 'serve' ? { ...usual, refuse: false } : usual
  }
  const waits = createWaits(clock)
  const inFlight = createInFlight()
  const connections = createConnections(clock, LIMITS)
  const gate = createGate({ inFlight, connections, health, exempt, retryAfterSeconds, manner, clock })
  const servers = createServers({ connections, gate, manner, clock })
  settings.servers.forEach(servers.watch)
  const hooks = createHookList({ clock, waits, logger })
  const controller = new AbortController()
  let abortedCount = 0
  let running: Promise<DrainResult> | undefined
  let moments = momentsOf(plan, 0)
  let steps: { terminating(): void; terminated(): void } | undefined

  /** Behind no server, and with no health, there is no balancer that has to notice. */
  const planNow = (): Plan =>
    servers.size > 0 || health !== undefined || settings.isDelayGiven
      ? plan
      : { ...plan, shutdownDelayMs: 0, readinessDelayMs: 0, settleMs: 0, lingerMs: 0 }
  const tellHealth = (): void => {
    steps ??= health?.beginDrain({ retryAfterSeconds, inFlight: () => inFlight.count })
  }
  const ended = new WeakSet<object>()
  /** Also those that have come since the listener closed. */
  const endLongLivedOnes = (): void => {
    const ways = { onUpgraded, shareMs: moments.endAt - moments.abortAt, silentMs: LIMITS.silentMs }
    for (const open of [...connections.upgrades, ...gate.events()]) {
      const subject = open.socket ?? open.response ?? open.stream ?? open
      // an upgrade that has no answer yet is a request
      if (ended.has(subject) || (open.socket !== undefined && inFlight.has(open.socket))) continue
      ended.add(subject)
      void endLongLived(open, { ...ways, waits, logger })
    }
  }
  /** Until nothing runs and no connection is left, or until the time of requests is over. */
  const untilQuiet = async (): Promise<void> => {
    while (clock.now() < moments.abortAt) {
      endLongLivedOnes()
      await connections.sweep(clock.now() >= moments.idleAt)
      if (inFlight.isEmpty && connections.size === 0) return
      await waits.pause(Math.min(SWEEP_MS, moments.abortAt - clock.now()))
    }
  }
  const abortRest = (): readonly string[] => {
    const labels = inFlight.abortAll()
    abortedCount = labels.length
    if (labels.length > 0) {
      const afterMs = Math.round(moments.abortAt - moments.delayEndAt)
      const shown =
        labels.slice(0, 20).join(', ') + (labels.length > 20 ? ` and ${labels.length - 20} more` : '')
      logger.error(`drain: aborted ${labels.length} still running after ${afterMs} ms: ${shown}`)
    }
    return labels
  }

  const run = async (reason: string): Promise<DrainResult> => {
    const beganAt = clock.now()
    const hasDelay = moments.delayEndAt > beganAt
    stage = 'leaving'
    gate.begin()
    logger.info(`drain: begins (${reason}), ${inFlight.count} in flight`)
    if (moments.readinessAt <= beganAt || !hasDelay) tellHealth()
    else void waits.until(() => moments.readinessAt).then(tellHealth)

    if (hasDelay) {
      await waits.until(() => moments.settleAt)
      stage = 'settling'
      await waits.until(() => moments.delayEndAt)
      tellHealth()
    } else {
      stage = 'late'
    }
    // answers that are under way were told to keep their connection: from its end on none is
    const quietAt = clock.now() + LIMITS.quietMs
    await servers.closeListeners(() => Math.min(quietAt, (moments.delayEndAt + moments.abortAt) / 2))
    stage = 'late'
    const { idleAt, delayEndAt } = moments
    moments = { ...moments, idleAt: clock.now() + Math.max(0, idleAt - delayEndAt) }
    connections.goAway()
    await untilQuiet()
    const aborted = abortRest()
    connections.destroyAll()
    servers.closeAllConnections()
    // its own listeners hear that it has closed before the hooks run
    const closingAt = clock.now()
    const closedAt = (): number => Math.min(closingAt + LIMITS.halfOpenMs, (closingAt + moments.endAt) / 2)
    await waits.comesBefore(closedAt, servers.closed())

    stage = 'terminating'
    steps?.terminating()
    moments = { ...moments, endAt: Math.min(moments.endAt, clock.now() + plan.hookTimeoutMs) }
    const failedHooks = await hooks.run(() => moments.endAt)
    stage = 'terminated'
    steps?.terminated()
    servers.release(true)
    const durationMs = Math.round(clock.now() - beganAt)
    const isClean = aborted.length === 0 && failedHooks.length === 0
    logger.info(`drain: ended after ${durationMs} ms${isClean ? '' : ', not clean'}`)
    return { reason, isClean, aborted, failedHooks, durationMs }
  }
  const hurry = (withinMs: number): void => {
    moments = hasten(moments, clock.now(), withinMs)
    waits.lookAgain()
  }

  return {
    start: (reason = 'start was called', options = {}) => {
      const withinMs = readWithin(options)
      if (running === undefined) {
        moments = momentsOf(planNow(), clock.now())
        if (withinMs !== undefined) hurry(withinMs)
        // before it is known to anybody, who may ask for the same promise
        let ended: (result: DrainResult) => void = () => undefined
        running = new Promise((resolve) => {
          ended = resolve
        })
        void run(reason).then(ended)
        // whoever hears it may ask for the promise
        controller.abort(new Error(`the drain has begun (${reason})`))
      } else if (withinMs !== undefined && stage !== 'terminated') {
        logger.warn(`drain: has to end within ${withinMs} ms (${reason})`)
        hurry(withinMs)
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
    track: createTrack(inFlight, logger),
    watch: servers.watch,
    admit: gate.admit,
    onShutdown: (name, run, options = {}) => {
      const hook = readHook(name, run, options, { maxMs: plan.hookTimeoutMs, isTaken: hooks.has })
      if (stage === 'terminated') logger.warn(`drain: shutdown hook ${name} comes too late and is not run`)
      return hooks.add(hook)
    },
    get plan() {
      return { ...planNow() }
    },
    explain: () =>
      explainPlan(planNow(), lateRequests, { hasServer: servers.size > 0, hasHealth: health !== undefined }),
    close: () => {
      if (running === undefined) servers.release(false)
    },
  }
}
