export { type MemoryCheckOptions, memoryCheck } from './checks/memory/memory-check.ts'
export type { CheckOptions } from './checks/read-check-options.ts'
