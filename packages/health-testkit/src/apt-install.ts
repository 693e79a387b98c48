import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Something that Debian, and Homebrew, have a package of. */
export interface Installable {
  /** As a reader calls it. */
  readonly what: string
  /** Debian's name of the package. */
  readonly debian: string
  readonly brew: string
  /** What to do where neither helps, after "or". */
  readonly otherwise: string
}

/** Test files run side by side, and apt-get lets in one at a time: so many attempts, a second apart. */
const ATTEMPTS = 120

/** Installs a package of Debian when running as root there, saying so on stderr; elsewhere throws, naming what to run. */
export function aptInstall(
  { what, debian, brew, otherwise }: Installable,
  tried: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (process.getuid?.() !== 0 || !hasAptGet(env)) {
    const install = process.platform === 'darwin' ? `brew install ${brew}` : `sudo apt-get install ${debian}`
    throw new Error([`no ${what} runs here: run "${install}", or ${otherwise}`, ...tried].join('\n'))
  }
  console.error(`health-testkit: no ${what} runs here, so this runs: apt-get install ${debian}`)
  aptGet(['update', '-qq'], env)
  const { status, stderr } = aptGet(['install', '-y', '-qq', '--no-install-recommends', debian], env)
  if (status !== 0) throw new Error(`apt-get install ${debian} failed: ${stderr}`)
}

function hasAptGet({ PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, 'apt-get')))
}

function aptGet(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly status: number | null; readonly stderr: string } {
  // the message about the lock in English
  const how = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }, encoding: 'utf8' } as const
  for (let attempt = 1; ; attempt += 1) {
    const { status, stderr } = spawnSync('apt-get', args, how)
    if (!stderr.includes('Could not get lock') || attempt === ATTEMPTS) return { status, stderr }
    spawnSync('sleep', ['1'])
  }
}
