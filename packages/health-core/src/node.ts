export { type AttachableServer, type AttachHealthOptions, attachHealth } from './node/attach-health.ts'
export { type HealthListenerOptions, healthListener } from './node/health-listener.ts'
export { type WritableResponse, writeAnswer } from './node/write-response.ts'
