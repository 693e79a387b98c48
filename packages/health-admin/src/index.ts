export type { AdminDrain, AdminHealth, AdminOptions, AdminServer } from './options.ts'
export { startAdmin } from './start-admin.ts'
