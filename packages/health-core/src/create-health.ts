import { buildHealing } from './build-healing.ts'
import { buildVerdict } from './build-verdict.ts'
import { buildWatchdog } from './build-watchdog.ts'
import { createAnswer } from './engine/answer.ts'
import { createCheckSlot } from './engine/check-slot.ts'
import { createKeepWarm } from './engine/keep-warm.ts'
import { createLifecycle } from './engine/lifecycle.ts'
import { createPool } from './engine/pool.ts'
import { quietLogger } from './engine/quiet-logger.ts'
import { createReadiness } from './engine/readiness.ts'
import { createOutcomeReport } from './engine/report-outcome.ts'
import { createResponses, RESPONSES } from './engine/responses.ts'
import type { SelfReport } from './engine/self-report.ts'
import { snapshotOf } from './engine/snapshot.ts'
import type { Source } from './engine/source.ts'
import { createWatch } from './engine/watch.ts'
import { explainHealth } from './explain-health.ts'
import type { Health } from './health.ts'
import { createKeepAlive } from './machinery/keep-alive.ts'
import { createListeners } from './machinery/listeners.ts'
import { createOwnContext } from './machinery/own-context.ts'
import { MAKERS } from './makers.ts'
import {
  KEEP_WARM_MS,
  POOL,
  RENDER_INTERVAL_MS,
  RETRY_AFTER_SECONDS,
  STUCK_AFTER_MS,
  WATCH_INTERVAL_MS,
} from './options/defaults.ts'
import type { HealthOptions } from './options/input.ts'
import { readObserve } from './options/observe.ts'
import { createProblems } from './options/problems.ts'
import { readSettings, type Settings } from './options/settings.ts'
import { formatError, logMessage } from './rules/problem.ts'
import type { HealthEvents } from './vocabulary/event.ts'
import type { ObserveResponse } from './vocabulary/observe.ts'
import type { Hit } from './vocabulary/snapshot.ts'
import type { Pool, Readiness, Verdict } from './vocabulary/view.ts'

/** Creates the health of a service. Throws a `HealthConfigError` that lists every problem with options and variables; nothing throws later. */
export function createHealth(options?: HealthOptions): Health {
  const problems = createProblems()
  const settings = readSettings(options, MAKERS, problems)
  problems.throwIfAny()
  return buildHealth(settings)
}

/** Builds a health from checked settings; this function alone knows every part. */
export function buildHealth(settings: Settings): Health {
  const { clock } = settings
  const logger = quietLogger(settings.logger)
  const listeners = createListeners<HealthEvents>((error) => {
    logger.error(`a listener failed: ${formatError(error)}`)
  })
  const inOwnContext = createOwnContext()
  const changePhase = (change: HealthEvents['phase']): void => {
    // a draining instance needs no background work
    if (change.to === 'draining') stopBackgroundWork()
    if (change.to === 'started') watchdog.onStarted()
    listeners.emit('phase', change)
  }
  const lifecycle = createLifecycle(logger, (change) => inOwnContext(changePhase, change))
  const stopBackgroundWork = (): void => {
    verdict.stopRefreshing()
    watchdog.stopLooks()
    healing.stopNewAttempts()
  }
  const hitCounts: Record<Hit, number> = { L1: 0, L2: 0, L3: 0, BYPASSED: 0 }
  const { budgetMs, cacheTtlMs } = settings.readiness
  const keepWarm = createKeepWarm({ budgetMs, ttlMs: cacheTtlMs, forMs: KEEP_WARM_MS }, clock)

  const slots = settings.entries.map((entry) => {
    const report = createOutcomeReport(entry.name, logger)
    const slot = createCheckSlot(
      entry,
      { clock, logger, stuckAfterMs: STUCK_AFTER_MS },
      (outcome, durationMs, isWatched) => {
        report(outcome)
        keepWarm.onRunEnd(slot, outcome, durationMs)
        listeners.emit('check', { name: entry.name, outcome, durationMs })
        verdict.reevaluate()
        healing.onRunEnd(entry.name, outcome, isWatched)
      },
    )
    return slot
  })
  const healing = buildHealing(settings, logger, (step) => listeners.emit('heal', step))
  const reportResponses = createOutcomeReport(RESPONSES, logger)
  const responses = createResponses(
    clock,
    () => lifecycle.isHeldBack || lifecycle.instead === 'draining',
    (outcome) => {
      reportResponses(outcome)
      listeners.emit('check', { name: RESPONSES, outcome, durationMs: 0 })
      verdict.reevaluate()
    },
  )
  const readiness = createReadiness(slots, settings.readiness, keepWarm, responses, clock)
  const self: SelfReport = {
    causes: () => watchdog.causes(),
    fields: () => watchdog.fields(),
    version: () => watchdog.version() + healing.version(),
  }
  const verdict = buildVerdict(settings, slots, { responses, self }, logger, (move) =>
    listeners.emit('verdict', move),
  )
  const watchdog = buildWatchdog(
    settings,
    slots,
    { ...verdict, isStarting: () => lifecycle.phase === 'starting' },
    logger,
    (report, hasChanged) => {
      // without checks the verdict is computed only on demand
      if (slots.length > 0) verdict.reevaluate()
      if (hasChanged) listeners.emit('watchdog', report)
    },
  )
  watchdog.start()
  const pool = createPool(slots, POOL, { clock, logger })
  const watch = createWatch(
    slots,
    { intervalMs: WATCH_INTERVAL_MS, budgetMs: settings.verdict.budgetMs },
    clock,
  )
  // a peer gets the same results without peer checks, or two services would probe each other in a loop
  const localSlots = slots.filter(({ entry }) => !entry.isPeer)
  const forPeers =
    localSlots.length === slots.length
      ? { readiness, verdict }
      : {
          readiness: createReadiness(localSlots, settings.readiness, keepWarm, responses, clock),
          verdict: verdict.forPeers(localSlots),
        }

  /** Answers in code what a prober asks over HTTP; here too a phase replaces the view. */
  const ask = async <View>(source: Source<View>, instead: () => View | undefined): Promise<View> => {
    lifecycle.markAnswered()
    const before = instead()
    if (before !== undefined) return before
    await source.ask()
    return instead() ?? source.view()
  }
  const askVerdict = async (force: boolean): Promise<Verdict> => {
    lifecycle.markAnswered()
    const before = verdictInstead()
    if (before !== undefined) return before
    const origin = await verdict.ask(force)
    const isBroken = origin === 'error' || origin === 'unavailable'
    return verdictInstead() ?? (isBroken ? { status: origin, checks: {}, causes: [] } : verdict.view())
  }
  const knownVerdict = (): Verdict => {
    try {
      return verdict.view()
    } catch (error) {
      logger.error(`computing the verdict failed: ${formatError(error)}`)
      return { status: 'error', checks: {}, causes: [] }
    }
  }
  const readinessInstead = (): Readiness | undefined =>
    lifecycle.instead === undefined ? undefined : { status: lifecycle.instead, checks: {} }
  const verdictInstead = (): Verdict | undefined =>
    lifecycle.instead === undefined ? undefined : { status: lifecycle.instead, checks: {}, causes: [] }
  const poolInstead = (): Pool | undefined =>
    lifecycle.instead === 'draining' ? { ...pool.view(), status: 'draining' } : undefined

  const watchVerdict = async (): Promise<Verdict> => {
    // first ask like a prober: checks that have never run are started, and the refresher keeps running
    const told = await askVerdict(false)
    if (lifecycle.instead !== undefined) return told
    await watch()
    const isBroken = told.status === 'error' || told.status === 'unavailable'
    return verdictInstead() ?? (isBroken ? told : knownVerdict())
  }

  const close = async (): Promise<void> => {
    keepWarm.stop()
    responses.stop()
    watchdog.stop()
    healing.stop()
    await Promise.all([verdict.close(), ...slots.map((slot) => slot.close())])
  }

  let observer: ObserveResponse | undefined
  const keepAlive = createKeepAlive(inOwnContext)
  const answer = createAnswer({
    lifecycle,
    readiness,
    verdict,
    forPeers,
    pool,
    prefix: settings.prefix,
    paths: settings.paths,
    expose: settings.expose,
    isHealingOn: () => healing.isOn,
    problems: () =>
      Object.fromEntries(
        slots.flatMap((slot) => {
          const { latest } = slot.read()
          const isFine = latest === undefined || latest.kind === 'usable'
          return isFine ? [] : [[slot.entry.healthName, logMessage(latest.problem)]]
        }),
      ),
    countHit: (hit) => {
      hitCounts[hit] += 1
    },
    inOwnContext,
    renderIntervalMs: RENDER_INTERVAL_MS,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    clock,
    logger,
  })

  return {
    answer: (request) => {
      const answered = answer(request)
      return answered instanceof Promise ? keepAlive(answered) : answered
    },
    readiness: () => keepAlive(inOwnContext(() => ask(readiness, readinessInstead))),
    verdict: ({ nocache = false } = {}) => keepAlive(inOwnContext(askVerdict, nocache)),
    watch: () => keepAlive(inOwnContext(watchVerdict)),
    pool: () => keepAlive(inOwnContext(() => ask(pool, poolInstead))),
    setup: lifecycle.setup,
    beginDrain: lifecycle.beginDrain,
    observe: (options) => {
      const problems = createProblems()
      const wanted = readObserve(options, problems)
      const first = responses.bounds ?? wanted
      if (first.fall !== wanted.fall || first.holdMs !== wanted.holdMs) {
        const numbers = ({ fall, holdMs }: typeof first): string => `fall ${fall} and holdMs ${holdMs}`
        problems.addText(
          'observe',
          `the same numbers as in the first call, ${numbers(first)}`,
          numbers(wanted),
        )
      }
      if (settings.entries.some(({ name, healthName }) => name === RESPONSES || healthName === RESPONSES)) {
        problems.addText('observe', `the name "${RESPONSES}" to be free`, 'a check that has it')
      }
      problems.throwIfAny()
      const seen = responses.begin(wanted)
      observer ??= (status, response) => inOwnContext(seen, status, response)
      return observer
    },
    setSelfHealing: (isOn) => {
      const problems = createProblems()
      if (typeof isOn !== 'boolean') problems.add('setSelfHealing', 'true or false', isOn)
      problems.throwIfAny()
      healing.setEnabled(isOn)
    },
    get selfHealing() {
      return healing.isOn
    },
    get phase() {
      return lifecycle.phase
    },
    get history() {
      return verdict.machine.history
    },
    snapshot: () => ({
      phase: lifecycle.phase,
      verdict: verdictInstead() ?? knownVerdict(),
      readiness: readinessInstead() ?? readiness.view(),
      checks: slots.map((slot) => snapshotOf(slot, clock.now(), logger)),
      ...(watchdog.report === undefined ? {} : { watchdog: watchdog.report }),
      answers: { ...hitCounts },
    }),
    explain: () => explainHealth(settings),
    prefix: settings.prefix,
    paths: settings.paths,
    on: listeners.on,
    close: () => keepAlive(close()),
  }
}
