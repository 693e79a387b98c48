import { databaseFromDsn } from './checks/database-from-dsn.ts'
import { type AnswerFunction, createAnswer } from './engine/answer.ts'
import { createCheckSlot } from './engine/check-slot.ts'
import { createKeepWarm } from './engine/keep-warm.ts'
import { createLifecycle } from './engine/lifecycle.ts'
import { createPool } from './engine/pool.ts'
import { quietLogger } from './engine/quiet-logger.ts'
import { createReadiness } from './engine/readiness.ts'
import { createOutcomeReport } from './engine/report-outcome.ts'
import type { Source } from './engine/source.ts'
import { createVerdict } from './engine/verdict.ts'
import { createListeners } from './machinery/listeners.ts'
import {
  BYPASS_INTERVAL_MS,
  KEEP_WARM_MS,
  POOL,
  RENDER_INTERVAL_MS,
  RETRY_AFTER_SECONDS,
  STUCK_AFTER_MS,
} from './options/defaults.ts'
import type { HealthOptions } from './options/input.ts'
import { readSettings } from './options/settings.ts'
import { tell } from './rules/problem.ts'
import type { HealthEvent, HealthEvents } from './vocabulary/event.ts'
import type { DrainInfo, DrainSteps, Phase } from './vocabulary/phase.ts'
import type { Probe } from './vocabulary/probe.ts'
import type { Pool, Readiness, Verdict } from './vocabulary/view.ts'

/** The health of one service instance. Two in one process share nothing. */
export interface Health {
  /** Answers a probe: undefined when the request is not ours, synchronous when it can be. Never throws or rejects. */
  answer: AnswerFunction
  /** Whether it can serve traffic, within the readiness budget and from the same cache as the endpoint. */
  readiness(): Promise<Readiness>
  /** The full picture, from the same cache as the endpoint; `nocache` computes, at most once a second. */
  verdict(options?: { readonly nocache?: boolean }): Promise<Verdict>
  /** The default database's connection and the gauges of its pool. */
  pool(): Promise<Pool>
  /**
   * Holds readiness and startup back until `fn` has ended; call it before listening. If `fn` fails, the instance reads
   * `failed` for ever, the log says why, and the returned promise rejects with its error.
   */
  setup<T>(fn: () => T | Promise<T>): Promise<T>
  /** From now on readiness, health and pool answer 503 `draining`; nothing undoes it. The first call's info counts; info of the wrong type throws a `HealthConfigError` and begins nothing. */
  beginDrain(info?: DrainInfo): DrainSteps
  readonly phase: Phase
  /** Where the endpoints are mounted. */
  readonly prefix: string
  /** Their paths below the prefix. */
  readonly paths: Readonly<Record<Probe, string>>
  /** Adds a listener; returns what removes it. */
  on<Name extends HealthEvent>(name: Name, listener: (event: HealthEvents[Name]) => void): () => void
  /** Stops every timer, aborts what runs and closes what checks opened. Liveness still answers; readiness is 503 from then on. Calling it again changes nothing. */
  close(): Promise<void>
}

/** Makes the health of a service. Throws a `HealthConfigError` that lists every problem with options and variables; nothing else throws later. */
export function createHealth(options?: HealthOptions): Health {
  const settings = readSettings(options, databaseFromDsn)
  const { clock } = settings
  const logger = quietLogger(settings.logger)
  const listeners = createListeners<HealthEvents>((error) => {
    logger.error(`a listener failed: ${tell(error)}`)
  })
  const lifecycle = createLifecycle(logger, (change) => listeners.emit('phase', change))
  const { budgetMs, cacheTtlMs } = settings.readiness
  const keepWarm = createKeepWarm({ budgetMs, ttlMs: cacheTtlMs, forMs: KEEP_WARM_MS }, clock)

  const slots = settings.entries.map((entry) => {
    const report = createOutcomeReport(entry.name, logger)
    const slot = createCheckSlot(
      entry,
      { clock, logger, stuckAfterMs: STUCK_AFTER_MS },
      (outcome, durationMs) => {
        report(outcome)
        keepWarm.ended(slot, outcome, durationMs)
        listeners.emit('check', { name: entry.name, outcome, durationMs })
      },
    )
    return slot
  })
  const readiness = createReadiness(slots, settings.readiness, keepWarm, clock)
  const verdict = createVerdict(slots, { ...settings.verdict, bypassIntervalMs: BYPASS_INTERVAL_MS }, clock)
  const pool = createPool(slots, POOL, { clock, logger })

  /** Asks in code what a prober asks over the wire; a phase takes the place of the view here too. */
  const ask = async <View>(
    source: Source<View>,
    force: boolean,
    instead: () => View | undefined,
  ): Promise<View> => {
    lifecycle.answered()
    const before = instead()
    if (before !== undefined) return before
    await source.ask(force)
    return instead() ?? source.view()
  }
  const readinessInstead = (): Readiness | undefined =>
    lifecycle.instead === undefined ? undefined : { status: lifecycle.instead, checks: {} }
  const verdictInstead = (): Verdict | undefined =>
    lifecycle.instead === undefined ? undefined : { status: lifecycle.instead, checks: {}, causes: [] }
  const poolInstead = (): Pool | undefined =>
    lifecycle.instead === 'draining' ? { ...pool.view(), status: 'draining' } : undefined

  return {
    answer: createAnswer({
      lifecycle,
      readiness,
      verdict,
      pool,
      prefix: settings.prefix,
      paths: settings.paths,
      expose: settings.expose,
      selfHealing: settings.selfHealing,
      renderIntervalMs: RENDER_INTERVAL_MS,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      clock,
      logger,
    }),
    readiness: () => ask(readiness, false, readinessInstead),
    verdict: ({ nocache = false } = {}) => ask(verdict, nocache, verdictInstead),
    pool: () => ask(pool, false, poolInstead),
    setup: lifecycle.setup,
    beginDrain: lifecycle.beginDrain,
    get phase() {
      return lifecycle.phase
    },
    prefix: settings.prefix,
    paths: settings.paths,
    on: listeners.on,
    close: async () => {
      keepWarm.stop()
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
