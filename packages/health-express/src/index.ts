export { type BaldurHealth, baldurHealth } from './baldur-health.ts'
export { drainMiddleware } from './drain-middleware.ts'
export type { Middleware } from './middleware.ts'
