import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { postgresFolders } from './find-postgres.ts'
import { installPostgres } from './install-postgres.ts'
import { minimalEnv } from './minimal-env.ts'
import { type ServerUser, serverUser } from './server-user.ts'

/** Server programs that run here, and the user that they run as. */
export interface PostgresInstallation {
  bin: string
  user: ServerUser
}

/** Finds server programs that really run, installs them where that is possible, else throws with what was tried. */
export function postgresInstallation(scratch: string): PostgresInstallation {
  const user = serverUser()
  const refusals: string[] = []
  const found = firstThatRuns(user, scratch, refusals)
  if (found !== undefined) return found
  installPostgres(refusals)
  const installed = firstThatRuns(user, scratch, refusals)
  if (installed === undefined)
    throw new Error(`PostgreSQL was installed but does not run: ${refusals.join('; ')}`)
  return installed
}

function firstThatRuns(
  user: ServerUser,
  scratch: string,
  refusals: string[],
): PostgresInstallation | undefined {
  for (const folder of postgresFolders()) {
    const refusal = refusalOf(user, folder, scratch)
    if (refusal === undefined) return { bin: folder, user }
    refusals.push(`${folder}: ${refusal}`)
    if (!('uid' in user) || !refusal.includes('EACCES')) continue
    const copy = copyOf(folder, scratch)
    if (refusalOf(user, copy, scratch) === undefined) return { bin: copy, user }
  }
  return undefined
}

/** Runs `postgres -V`: programs for another libc, or without their libraries, fail here and not in a test. */
function refusalOf(user: ServerUser, bin: string, scratch: string): string | undefined {
  const how = { ...user, cwd: scratch, env: minimalEnv(), encoding: 'utf8' } as const
  const { status, error, stderr } = spawnSync(join(bin, 'postgres'), ['-V'], how)
  return status === 0 ? undefined : (error?.message ?? `exit code ${status}: ${stderr.trim()}`)
}

/** In a checkout below a private folder the server's user cannot read the programs, but can read a copy. */
function copyOf(bin: string, scratch: string): string {
  const copy = join(scratch, 'postgres')
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(copy, 0o755)
  return join(copy, 'bin')
}
