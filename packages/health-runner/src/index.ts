export type {
  HealthCheckOptions,
  QueueOptions,
  RunnersOptions,
  WaitingLineOptions,
} from './options.ts'
