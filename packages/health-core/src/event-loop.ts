export { type EventLoopCheckOptions, eventLoopCheck } from './checks/event-loop/event-loop-check.ts'
export type { CheckOptions } from './checks/read-check-options.ts'
