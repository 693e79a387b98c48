import { readFileSync } from 'node:fs'

/** Whether a process with this pid runs; one that has ended, and only waits for its parent to notice, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // asks, sends nothing
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z[^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // only Linux tells
  }
}
