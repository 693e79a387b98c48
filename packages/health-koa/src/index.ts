export { type BaldurHealth, baldurHealth } from './baldur-health.ts'
export { type DrainContext, drainMiddleware } from './drain-middleware.ts'
