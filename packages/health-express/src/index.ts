export { type BaldurHealth, baldurHealth } from './baldur-health.ts'
