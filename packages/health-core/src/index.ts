export { createHealth } from './create-health.ts'
export type { Answer, AnswerFunction } from './engine/answer.ts'
export type { Health } from './health.ts'
export type { Clock } from './machinery/clock.ts'
export { type MountedHealth, type MountOptions, mountHealth } from './mount-health.ts'
export type { HealthOptions } from './options/input.ts'
export type { FailDirection } from './rules/decide.ts'
export { targetBelow } from './rules/target-below.ts'
export type { Check, CheckPolicy, CheckResult, Gauges } from './vocabulary/check.ts'
export { type ConfigProblem, HealthConfigError } from './vocabulary/config-error.ts'
export type { HealthEvent, HealthEvents } from './vocabulary/event.ts'
export type { ProbeRequest, ProbeResponse } from './vocabulary/exchange.ts'
export type { CheckExplanation, HealthExplanation } from './vocabulary/explanation.ts'
export type { Heal, HealStep } from './vocabulary/heal.ts'
export type { Logger } from './vocabulary/logger.ts'
export type { ObserveOptions, ObserveResponse } from './vocabulary/observe.ts'
export type { Outcome, Problem } from './vocabulary/outcome.ts'
export type { DrainInfo, DrainSteps, Phase } from './vocabulary/phase.ts'
export type { Probe } from './vocabulary/probe.ts'
export type { CheckSnapshot, HealthSnapshot, Hit } from './vocabulary/snapshot.ts'
export type { RedisClient, SharedStore, StoreClaim, StoredText } from './vocabulary/store.ts'
export type { VerdictState, VerdictTransition } from './vocabulary/verdict-transition.ts'
export type {
  Pool,
  PoolStatus,
  Readiness,
  ReadinessStatus,
  Verdict,
  VerdictStatus,
} from './vocabulary/view.ts'
export type {
  Escalation,
  WatchdogLook,
  WatchdogReport,
  WatchdogStatus,
} from './vocabulary/watchdog.ts'
