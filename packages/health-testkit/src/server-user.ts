import { spawnSync } from 'node:child_process'
import { minimalEnv } from './minimal-env.ts'

/** The user to run a server as; empty for the present one. */
export type ServerUser = { uid: number; gid: number } | Record<string, never>

/** Database servers refuse to run as root, who therefore runs them as `postgres`, or as `nobody` where that user is missing. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    'running as root, and there is neither a user postgres nor a user nobody to run a database server as',
  )
}

function idOf(flag: string, name: string): number {
  const { stdout } = spawnSync('id', [flag, name], { encoding: 'utf8', env: minimalEnv() })
  return Number.parseInt(stdout ?? '', 10)
}
