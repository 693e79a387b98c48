export { type BaldurHealthOptions, baldurHealth } from './baldur-health.ts'
