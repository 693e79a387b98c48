export { type HttpCheckOptions, httpCheck } from './checks/http/http-check.ts'
export type { HttpTls } from './checks/http/target.ts'
export type { CheckOptions } from './checks/read-check-options.ts'
