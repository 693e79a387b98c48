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
export { serveRunner } from './serve-runner.ts'
export { type Runners, startRunners } from './start-runners.ts'
