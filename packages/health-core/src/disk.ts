export { type DiskCheckOptions, diskCheck } from './checks/disk/disk-check.ts'
export type { CheckOptions } from './checks/read-check-options.ts'
