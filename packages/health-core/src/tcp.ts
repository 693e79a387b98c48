export type { CheckOptions } from './checks/read-check-options.ts'
export { tcpCheck } from './checks/tcp/tcp-check.ts'
