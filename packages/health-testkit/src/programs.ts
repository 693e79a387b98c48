import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A server or tool of the system that tests use. */
interface Program {
  /** The variable that names its file, in place of PATH. */
  readonly variable: string
  /** Debian's package. */
  readonly debian: string
  /** Homebrew's package. */
  readonly brew: string
  /** Other names of the program. */
  readonly also?: readonly string[]
}

/** The name of a program, which is also the tag of the tests that need it. */
export type ProgramName =
  | 'haproxy'
  | 'nginx'
  | 'redis-server'
  | 'mariadbd'
  | 'prometheus'
  | 'promtool'
  | 'chromium'

const PROGRAMS: Readonly<Record<ProgramName, Program>> = {
  haproxy: { variable: 'TEST_HAPROXY_BIN', debian: 'haproxy', brew: 'haproxy' },
  nginx: { variable: 'TEST_NGINX_BIN', debian: 'nginx', brew: 'nginx' },
  'redis-server': { variable: 'TEST_REDIS_BIN', debian: 'redis-server', brew: 'redis' },
  // the server alone: the package mariadb-server starts a service
  mariadbd: { variable: 'TEST_MARIADB_BIN', debian: 'mariadb-server-core', brew: 'mariadb' },
  prometheus: { variable: 'TEST_PROMETHEUS_BIN', debian: 'prometheus', brew: 'prometheus' },
  promtool: { variable: 'TEST_PROMTOOL_BIN', debian: 'prometheus', brew: 'prometheus' },
  chromium: { variable: 'TEST_CHROMIUM_BIN', debian: 'chromium', brew: 'chromium', also: ['google-chrome'] },
}

export const PROGRAM_NAMES: readonly ProgramName[] = Object.keys(PROGRAMS) as readonly ProgramName[]

/** Debian keeps servers in folders that only root has on PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** The file of a program: the one that its variable names, else the first on PATH, else one in the folders of servers. Throws when the variable names a file that does not exist. */
export function findProgram(
  name: ProgramName,
  env: NodeJS.ProcessEnv = process.env,
  serverFolders: readonly string[] = SERVER_FOLDERS,
): string | undefined {
  const { variable, also = [] } = PROGRAMS[name]
  const chosen = env[variable]
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`${variable} is ${chosen}, which does not exist`)
    return chosen
  }
  const folders = [...(env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...serverFolders]
  return [name, ...also]
    .flatMap((one) => folders.map((folder) => join(folder, one)))
    .find((file) => existsSync(file))
}

interface Machine {
  readonly platform?: NodeJS.Platform
  readonly isRoot?: boolean
}

/** The command that installs the packages of these programs on a machine of this kind. */
export function installCommand(
  names: readonly ProgramName[],
  { platform = process.platform, isRoot = process.getuid?.() === 0 }: Machine = {},
): readonly string[] {
  const packages = (from: 'debian' | 'brew'): string[] => [
    ...new Set(names.map((name) => PROGRAMS[name][from])),
  ]
  if (platform === 'darwin') return ['brew', 'install', ...packages('brew')]
  const apt = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages('debian')]
  return isRoot ? apt : ['sudo', ...apt]
}

/** The file of a program. Installs nothing: where the program is missing it throws and names the command that installs it. */
export function programFile(name: ProgramName, env: NodeJS.ProcessEnv = process.env): string {
  const found = findProgram(name, env)
  if (found !== undefined) return found
  throw new Error(
    `no ${name} runs here: run "${installCommand([name]).join(' ')}", or set ${PROGRAMS[name].variable} to its file`,
  )
}
