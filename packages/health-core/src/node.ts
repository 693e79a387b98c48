export { type AttachableServer, type AttachHealthOptions, attachHealth } from './node/attach-health.ts'
export {
  type HealthListenerOptions,
  healthListener,
  type ListenableHealth,
  type ListenedRequest,
  type ListenedResponse,
} from './node/health-listener.ts'
export { type WatchableResponse, watchResponse } from './node/watch-response.ts'
export { type WritableResponse, writeAnswer } from './node/write-response.ts'
