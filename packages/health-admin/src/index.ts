export { createMetrics, type Metrics, type MetricsOptions } from './metrics/create-metrics.ts'
export type { AdminDrain, AdminHealth, AdminOptions, AdminServer } from './options.ts'
export { startAdmin } from './start-admin.ts'
