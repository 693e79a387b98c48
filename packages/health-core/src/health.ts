import type { AnswerFunction } from './engine/answer.ts'
import type { HealthEvent, HealthEvents } from './vocabulary/event.ts'
import type { HealthExplanation } from './vocabulary/explanation.ts'
import type { ObserveOptions, ObserveResponse } from './vocabulary/observe.ts'
import type { DrainInfo, DrainSteps, Phase } from './vocabulary/phase.ts'
import type { Probe } from './vocabulary/probe.ts'
import type { HealthSnapshot } from './vocabulary/snapshot.ts'
import type { VerdictTransition } from './vocabulary/verdict-transition.ts'
import type { Pool, Readiness, Verdict } from './vocabulary/view.ts'

/** The health of one service instance. Two healths in one process share nothing. */
export interface Health {
  /** Answers a probe request; returns undefined for any other request, and a promise only when a check has to run. Never throws or rejects. */
  answer: AnswerFunction
  /** Resolves with whether the instance can serve traffic, within the readiness budget and from the same cache as the endpoint. */
  readiness(): Promise<Readiness>
  /** Resolves with the verdict, from the same cache as the endpoint; `nocache` recomputes it, at most once a second. */
  verdict(options?: { readonly nocache?: boolean }): Promise<Verdict>
  /**
   * Resolves with the verdict for a live display: does what `verdict()` does, then runs the checks whose `fall` and `rise` are 1, at
   * most once a second. Other checks run only for probes and the refresher. Healing starts no sooner than probes could start it.
   */
  watch(): Promise<Verdict>
  /** Resolves with the state of the default database's connection and the gauges of its pool. */
  pool(): Promise<Pool>
  /**
   * Runs `fn` and keeps readiness and startup at 503 until it has ended; call it before listening. If `fn` fails, the instance
   * stays `failed`, the error is logged, and the returned promise rejects with it.
   */
  setup<T>(fn: () => T | Promise<T>): Promise<T>
  /** Begins the drain: from now on readiness, health and pool answer 503 `draining`, and nothing undoes it. Only the info of the first call counts. Throws a `HealthConfigError` for info of the wrong type, and begins nothing then. */
  beginDrain(info?: DrainInfo): DrainSteps
  /**
   * Adds a check `responses` that judges the app by its own responses, and returns the function to call for each response;
   * an adapter's `observe` option does both. Throws a `HealthConfigError` for bad numbers, and for numbers that differ from
   * those of the first call.
   */
  observe(options?: ObserveOptions): ObserveResponse
  /** Turns self-healing on or off; `/health` shows the state as `baldur_enabled`. A running attempt is not stopped. Throws a `HealthConfigError` unless it gets a boolean. */
  setSelfHealing(isOn: boolean): void
  /** Whether self-healing is on. */
  readonly selfHealing: boolean
  /** The phase of the instance's life; a `phase` event reports each change. */
  readonly phase: Phase
  /** Returns everything known now, whatever its age; starts no check. */
  snapshot(): HealthSnapshot
  /** Returns the settings in force; they never change after the start. */
  explain(): HealthExplanation
  /** The last 50 transitions of the verdict, oldest first. */
  readonly history: readonly VerdictTransition[]
  /** Path prefix of the endpoints; empty when there is none. */
  readonly prefix: string
  /** Path of each endpoint below the prefix. */
  readonly paths: Readonly<Record<Probe, string>>
  /** Adds a listener for an event and returns the function that removes it. Errors of a listener are logged. */
  on<Name extends HealthEvent>(name: Name, listener: (event: HealthEvents[Name]) => void): () => void
  /** Stops every timer, aborts running checks and closes what they opened. Liveness still answers; from then on every check reads not usable. Never rejects; calling it again changes nothing. */
  close(): Promise<void>
}
