export type {
  CallbackApp,
  Listener,
  ListeningApp,
  ServedRunner,
  ServeRunnerOptions,
} from './child/serve-options.ts'
export type {
  HealthCheckOptions,
  QueueOptions,
  RunnersOptions,
  WaitingLineOptions,
} from './options.ts'
export { serveRunner } from './serve-runner.ts'
export { type Runners, startRunners } from './start-runners.ts'
