import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './is-alive.ts'
import { postmasterFile } from './postmaster-file.ts'

/** Whether a server can start on this folder, or it is still to be filled; throws when it is in use or holds something else. */
export function holdsData(dir: string): boolean {
  if (!existsSync(dir) || readdirSync(dir).length === 0) return false
  if (!existsSync(join(dir, 'PG_VERSION'))) {
    throw new Error(`${dir} is not empty and is no PostgreSQL data folder: give another dir`)
  }
  const pid = postmasterFile(dir)?.pid
  if (pid !== undefined && isAlive(pid)) {
    throw new Error(
      `${dir} is in use by a running server, process ${pid}: stop that one, or give another dir`,
    )
  }
  return true
}
