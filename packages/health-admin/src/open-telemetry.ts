export type { AdminHealth } from './options.ts'
