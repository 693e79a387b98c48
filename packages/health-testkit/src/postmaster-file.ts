import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a running or killed server left in its folder's `postmaster.pid`. */
export interface PostmasterFile {
  pid: number
  /** Of the System V segment that guards the folder; a killed server leaves it behind. */
  sharedMemoryId: string | undefined
}

/** Reads `postmaster.pid`; a server that shut down has removed it. */
export function postmasterFile(dir: string): PostmasterFile | undefined {
  const file = join(dir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const sharedMemoryId = /^\s*\d+\s+(\d+)/.exec(lines[6] ?? '')?.[1]
  return { pid: Math.abs(Number(lines[0])), sharedMemoryId } // negative: a server in single-user mode
}
