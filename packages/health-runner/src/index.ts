export type {
  CallbackApp,
  Listener,
  ListeningApp,
  ServedRunner,
  ServeRunnerOptions,
  SetupContext,
} from './child/serve-options.ts'
export type {
  HealthCheckOptions,
  QueueOptions,
  RunnersOptions,
  WaitingLineOptions,
} from './options.ts'
export type { Runners, RunnersEvents, RunnersSnapshot } from './runners.ts'
export { serveRunner } from './serve-runner.ts'
export { startRunners } from './start-runners.ts'
export type { FleetSnapshot, GuardEvent, RunnerEvent, RunnerSnapshot } from './vocabulary/fleet.ts'
export type {
  AddOutcome,
  CancelOutcome,
  QueueAttempt,
  QueueCounts,
  QueuedRequest,
  QueueResult,
  QueueStatus,
  QueueStore,
} from './vocabulary/queue-store.ts'
export type { EndReason, RunnerState } from './vocabulary/runner-state.ts'
