import type { AnswerFunction } from './engine/answer.ts'
import type { HealthEvent, HealthEvents } from './vocabulary/event.ts'
import type { HealthExplanation } from './vocabulary/explanation.ts'
import type { ObserveOptions, ObserveResponse } from './vocabulary/observe.ts'
import type { DrainInfo, DrainSteps, Phase } from './vocabulary/phase.ts'
import type { Probe } from './vocabulary/probe.ts'
import type { HealthSnapshot } from './vocabulary/snapshot.ts'
import type { VerdictTransition } from './vocabulary/verdict-transition.ts'
import type { Pool, Readiness, Verdict } from './vocabulary/view.ts'

/** The health of one service instance. Two in one process share nothing. */
export interface Health {
  /** Answers a probe: undefined when the request is not ours, synchronous when it can be. Never throws or rejects. */
  answer: AnswerFunction
  /** Whether it can serve traffic, within the readiness budget and from the same cache as the endpoint. */
  readiness(): Promise<Readiness>
  /** The full picture, from the same cache as the endpoint; `nocache` computes, at most once a second. */
  verdict(options?: { readonly nocache?: boolean }): Promise<Verdict>
  /**
   * The same for whoever watches a screen: asks as `verdict()` does, then runs the checks whose `fall` and `rise` are 1, at most
   * once a second. The others are left to probes and to the refresher, and healing comes no sooner than probes could bring it.
   */
  watch(): Promise<Verdict>
  /** The default database's connection and the gauges of its pool. */
  pool(): Promise<Pool>
  /**
   * Holds readiness and startup back until `fn` has ended; call it before listening. If `fn` fails, the instance reads
   * `failed` for ever, the log says why, and the returned promise rejects with its error.
   */
  setup<T>(fn: () => T | Promise<T>): Promise<T>
  /** From now on readiness, health and pool answer 503 `draining`; nothing undoes it. The first call's info counts; info of the wrong type throws a `HealthConfigError` and begins nothing. */
  beginDrain(info?: DrainInfo): DrainSteps
  /**
   * Adds what the app's own answers say, as a check `responses`, and returns the function to be told of each of them;
   * an adapter's `observe` option does that. The numbers of the first call count; other ones later, and bad ones, throw a
   * `HealthConfigError`.
   */
  observe(options?: ObserveOptions): ObserveResponse
  /** Turns self-healing on or off, as `baldur_enabled` shows; a try under way is not stopped. */
  setSelfHealing(isOn: boolean): void
  readonly selfHealing: boolean
  readonly phase: Phase
  /** What is known now; asks nothing, whatever its age. */
  snapshot(): HealthSnapshot
  /** The numbers in force; they never change. */
  explain(): HealthExplanation
  /** The last 50 moves of the verdict, oldest first. */
  readonly history: readonly VerdictTransition[]
  /** Where the endpoints are mounted. */
  readonly prefix: string
  /** Their paths below the prefix. */
  readonly paths: Readonly<Record<Probe, string>>
  /** Adds a listener; returns what removes it. */
  on<Name extends HealthEvent>(name: Name, listener: (event: HealthEvents[Name]) => void): () => void
  /** Stops every timer, aborts what runs and closes what checks opened. Liveness still answers; every check reads not usable from then on. Calling it again changes nothing. */
  close(): Promise<void>
}
