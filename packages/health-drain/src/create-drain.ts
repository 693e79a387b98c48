import type { Drain, DrainResult } from './drain.ts'
import { createHookList } from './hooks/hook-list.ts'
import { readHook } from './hooks/read-hook.ts'
import type { DrainOptions } from './options.ts'
import { deadlinesOf, shortenTo } from './plan/deadlines.ts'
import { LIMITS } from './plan/defaults.ts'
import { explainPlan } from './plan/explain.ts'
import type { Plan } from './plan/plan.ts'
import { readDrainSettings } from './plan/read-settings.ts'
import { readWithin } from './plan/read-within.ts'
import { createConnections } from './server/connections.ts'
import { type AdmissionPolicy, createGate } from './server/gate.ts'
import { createInFlight } from './server/in-flight.ts'
import { endLongLived } from './server/long-lived.ts'
import { createServers } from './server/servers.ts'
import { createTrack } from './track.ts'
import { createWaits } from './waits.ts'

const SWEEP_MS = 25

type Stage = 'serving' | 'leaving' | 'settling' | 'late' | 'terminating' | 'terminated'

/** The admission of requests in each stage, before the option for late requests applies. */
const POLICIES: Readonly<Record<Stage, AdmissionPolicy>> = {
  serving: { isLeaving: false, close: false, refuse: false },
  leaving: { isLeaving: true, close: true, refuse: false },
  settling: { isLeaving: true, close: false, refuse: false },
  late: { isLeaving: true, close: true, refuse: true },
  // hooks may already have closed what a request needs: nothing is served here, whatever the option
  terminating: { isLeaving: true, close: true, refuse: true },
  terminated: { isLeaving: true, close: true, refuse: true },
}

/** Creates the drain of a service. Throws a `HealthConfigError` that lists every problem with options, variables and their sum; nothing throws later. */
export function createDrain(options?: DrainOptions): Drain {
  const settings = readDrainSettings(options)
  const { health, plan, lateRequests, exempt, retryAfterSeconds, onUpgraded, logger, clock } = settings
  let stage: Stage = 'serving'
  const policy = (): AdmissionPolicy => {
    const usual = POLICIES[stage]
    return stage === 'late' && lateRequests === 'serve' ? { ...usual, refuse: false } : usual
  }
  const waits = createWaits(clock)
  const inFlight = createInFlight()
  const connections = createConnections(clock, LIMITS)
  const gate = createGate({ inFlight, connections, health, exempt, retryAfterSeconds, policy, clock })
  const servers = createServers({ connections, gate, policy, clock })
  settings.servers.forEach(servers.watch)
  const hooks = createHookList({ clock, waits, logger })
  const controller = new AbortController()
  let abortedCount = 0
  let running: Promise<DrainResult> | undefined
  let deadlines = deadlinesOf(plan, 0)
  let steps: { terminating(): void; terminated(): void } | undefined

  /** Without a server and a health, no balancer has to notice, so there is no delay. */
  const planNow = (): Plan =>
    servers.size > 0 || health !== undefined || settings.isDelayGiven
      ? plan
      : { ...plan, shutdownDelayMs: 0, readinessDelayMs: 0, settleMs: 0, lingerMs: 0 }
  const beginHealthDrain = (): void => {
    steps ??= health?.beginDrain({ retryAfterSeconds, inFlight: () => inFlight.count })
  }
  const ended = new WeakSet<object>()
  /** Ends WebSockets and event streams, also those that were opened after the listener had closed. */
  const endLongLivedOnes = (): void => {
    const ways = { onUpgraded, shareMs: deadlines.endAt - deadlines.abortAt, silentMs: LIMITS.silentMs }
    for (const open of [...connections.upgrades, ...gate.events()]) {
      const subject = open.socket ?? open.response ?? open.stream ?? open
      // an upgrade without an answer still counts as a request
      if (ended.has(subject) || (open.socket !== undefined && inFlight.has(open.socket))) continue
      ended.add(subject)
      void endLongLived(open, { ...ways, waits, logger })
    }
  }
  /** Waits until no request and no connection is left, or until the requests' time is over. */
  const untilQuiet = async (): Promise<void> => {
    while (clock.now() < deadlines.abortAt) {
      endLongLivedOnes()
      await connections.sweep(clock.now() >= deadlines.idleAt)
      if (inFlight.isEmpty && connections.size === 0) return
      await waits.pause(Math.min(SWEEP_MS, deadlines.abortAt - clock.now()))
    }
  }
  const abortRest = (): readonly string[] => {
    const labels = inFlight.abortAll()
    abortedCount = labels.length
    if (labels.length > 0) {
      const afterMs = Math.round(deadlines.abortAt - deadlines.delayEndAt)
      const shown =
        labels.slice(0, 20).join(', ') + (labels.length > 20 ? ` and ${labels.length - 20} more` : '')
      logger.error(`drain: aborted ${labels.length} still running after ${afterMs} ms: ${shown}`)
    }
    return labels
  }

  const run = async (reason: string): Promise<DrainResult> => {
    const beganAt = clock.now()
    const hasDelay = deadlines.delayEndAt > beganAt
    stage = 'leaving'
    gate.begin()
    logger.info(`drain: begins (${reason}), ${inFlight.count} in flight`)
    if (deadlines.readinessAt <= beganAt || !hasDelay) beginHealthDrain()
    else void waits.until(() => deadlines.readinessAt).then(beginHealthDrain)

    if (hasDelay) {
      await waits.until(() => deadlines.settleAt)
      stage = 'settling'
      await waits.until(() => deadlines.delayEndAt)
      beginHealthDrain()
    } else {
      stage = 'late'
    }
    // answers in flight were sent with keep-alive: no connection is kept after this point
    const quietAt = clock.now() + LIMITS.quietMs
    await servers.closeListeners(() => Math.min(quietAt, (deadlines.delayEndAt + deadlines.abortAt) / 2))
    stage = 'late'
    const { idleAt, delayEndAt } = deadlines
    deadlines = { ...deadlines, idleAt: clock.now() + Math.max(0, idleAt - delayEndAt) }
    connections.goAway()
    await untilQuiet()
    const aborted = abortRest()
    connections.destroyAll()
    servers.closeAllConnections()
    // the server's own `close` listeners run before the hooks
    const closingAt = clock.now()
    const closedAt = (): number => Math.min(closingAt + LIMITS.halfOpenMs, (closingAt + deadlines.endAt) / 2)
    await waits.comesBefore(closedAt, servers.closed())

    stage = 'terminating'
    steps?.terminating()
    deadlines = { ...deadlines, endAt: Math.min(deadlines.endAt, clock.now() + plan.hookTimeoutMs) }
    const failedHooks = await hooks.run(() => deadlines.endAt)
    stage = 'terminated'
    steps?.terminated()
    servers.release(true)
    const durationMs = Math.round(clock.now() - beganAt)
    const isClean = aborted.length === 0 && failedHooks.length === 0
    logger.info(`drain: ended after ${durationMs} ms${isClean ? '' : ', not clean'}`)
    return { reason, isClean, aborted, failedHooks, durationMs }
  }
  const shorten = (withinMs: number): void => {
    deadlines = shortenTo(deadlines, clock.now(), withinMs)
    waits.reschedule()
  }

  return {
    start: (reason = 'start was called', options = {}) => {
      const withinMs = readWithin(options)
      if (running === undefined) {
        deadlines = deadlinesOf(planNow(), clock.now())
        if (withinMs !== undefined) shorten(withinMs)
        // set first: a listener of the start may call start() and needs the same promise
        let ended: (result: DrainResult) => void = () => undefined
        running = new Promise((resolve) => {
          ended = resolve
        })
        void run(reason).then(ended)
        // a listener may ask for the promise
        controller.abort(new Error(`the drain has begun (${reason})`))
      } else if (withinMs !== undefined && stage !== 'terminated') {
        logger.warn(`drain: has to end within ${withinMs} ms (${reason})`)
        shorten(withinMs)
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
