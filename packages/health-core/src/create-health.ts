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
import type { Hit } from './vocabulary/snapshot.ts'
import type { Pool, Readiness, Verdict } from './vocabulary/view.ts'

/** Makes the health of a service. Throws a `HealthConfigError` that lists every problem with options and variables; nothing else throws later. */
export function createHealth(options?: HealthOptions): Health {
  const problems = createProblems()
  const settings = readSettings(options, MAKERS, problems)
  problems.throwIfAny()
  return buildHealth(settings)
}

/** The one builder, which alone knows every part. */
export function buildHealth(settings: Settings): Health {
  const { clock } = settings
  const logger = quietLogger(settings.logger)
  const listeners = createListeners<HealthEvents>((error) => {
    logger.error(`a listener failed: ${formatError(error)}`)
  })
  const lifecycle = createLifecycle(logger, (change) => {
    // whoever leaves computes for nobody
    if (change.to === 'draining') leave()
    if (change.to === 'started') watchdog.started()
    listeners.emit('phase', change)
  })
  const leave = (): void => {
    verdict.rest()
    watchdog.rest()
    healing.rest()
  }
  const answers: Record<Hit, number> = { L1: 0, L2: 0, L3: 0, BYPASSED: 0 }
  const { budgetMs, cacheTtlMs } = settings.readiness
  const keepWarm = createKeepWarm({ budgetMs, ttlMs: cacheTtlMs, forMs: KEEP_WARM_MS }, clock)

  const slots = settings.entries.map((entry) => {
    const report = createOutcomeReport(entry.name, logger)
    const slot = createCheckSlot(
      entry,
      { clock, logger, stuckAfterMs: STUCK_AFTER_MS },
      (outcome, durationMs, isWatched) => {
        report(outcome)
        keepWarm.ended(slot, outcome, durationMs)
        listeners.emit('check', { name: entry.name, outcome, durationMs })
        verdict.noticed()
        healing.ended(entry.name, outcome, isWatched)
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
      verdict.noticed()
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
    (report, isNews) => {
      // that nothing is checked is told to those who ask
      if (slots.length > 0) verdict.noticed()
      if (isNews) listeners.emit('watchdog', report)
    },
  )
  watchdog.begin()
  const pool = createPool(slots, POOL, { clock, logger })
  const watch = createWatch(
    slots,
    { intervalMs: WATCH_INTERVAL_MS, budgetMs: settings.verdict.budgetMs },
    clock,
  )
  // what a peer is told: the same runs and results, without the checks that would ask on
  const own = slots.filter(({ entry }) => !entry.isPeer)
  const forPeers =
    own.length === slots.length
      ? { readiness, verdict }
      : {
          readiness: createReadiness(own, settings.readiness, keepWarm, responses, clock),
          verdict: verdict.forPeers(own),
        }

  /** Asks in code what a prober asks over the wire; a phase takes the place of the view here too. */
  const ask = async <View>(source: Source<View>, instead: () => View | undefined): Promise<View> => {
    lifecycle.answered()
    const before = instead()
    if (before !== undefined) return before
    await source.ask()
    return instead() ?? source.view()
  }
  const askVerdict = async (force: boolean): Promise<Verdict> => {
    lifecycle.answered()
    const before = verdictInstead()
    if (before !== undefined) return before
    const told = await verdict.ask(force)
    const isBroken = told === 'error' || told === 'unavailable'
    return verdictInstead() ?? (isBroken ? { status: told, checks: {}, causes: [] } : verdict.view())
  }
  const knownVerdict = (): Verdict => {
    try {
      return verdict.view()
    } catch (error) {
      logger.error(`looking at the verdict failed: ${formatError(error)}`)
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
    // first as whoever asks for the full picture: what was never asked is asked, and the refresher goes on
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

  const keepAlive = createKeepAlive()
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
    counted: (hit) => {
      answers[hit] += 1
    },
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
    readiness: () => keepAlive(ask(readiness, readinessInstead)),
    verdict: ({ nocache = false } = {}) => keepAlive(askVerdict(nocache)),
    watch: () => keepAlive(watchVerdict()),
    pool: () => keepAlive(ask(pool, poolInstead)),
    setup: lifecycle.setup,
    beginDrain: lifecycle.beginDrain,
    observe: (options) => {
      const problems = createProblems()
      const wanted = readObserve(options, problems)
      const first = responses.bounds ?? wanted
      if (first.fall !== wanted.fall || first.holdMs !== wanted.holdMs) {
        const numbers = ({ fall, holdMs }: typeof first): string => `fall ${fall} and holdMs ${holdMs}`
        problems.addText('observe', `the numbers that it began with, ${numbers(first)}`, numbers(wanted))
      }
      if (settings.entries.some(({ name, healthName }) => name === RESPONSES || healthName === RESPONSES)) {
        problems.addText('observe', `the name "${RESPONSES}" to be free`, 'a check that has it')
      }
      problems.throwIfAny()
      return responses.begin(wanted)
    },
    setSelfHealing: (isOn) => {
      const problems = createProblems()
      if (typeof isOn !== 'boolean') problems.add('setSelfHealing', 'true or false', isOn)
      problems.throwIfAny()
      healing.turn(isOn)
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
      answers: { ...answers },
    }),
    explain: () => explainHealth(settings),
    prefix: settings.prefix,
    paths: settings.paths,
    on: listeners.on,
    close: () => keepAlive(close()),
  }
}
