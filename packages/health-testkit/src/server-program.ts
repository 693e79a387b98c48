import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall } from './apt-install.ts'

/** A server's program, the packages that bring it, and the variable that chooses another file. */
interface ServerProgram {
  readonly name: string
  /** Other names that will do. */
  readonly also?: readonly string[]
  readonly variable: string
  /** Debian's package. @default the program's name */
  readonly debian?: string
  /** @default the program's name */
  readonly brew?: string
}

/** Debian keeps servers in folders that only root has on PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** The file of a server's program: the one that the variable names, else from PATH and the folders of servers, else it is installed, else it throws with what to install. */
export function serverProgram(
  { name, also = [], variable, debian = name, brew = name }: ServerProgram,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const chosen = env[variable]
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`${variable} is ${chosen}, which is no file`)
    return chosen
  }
  const folders = [...(env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS]
  const files = [name, ...also].flatMap((one) => folders.map((folder) => join(folder, one)))
  const find = (): string | undefined => files.find((file) => existsSync(file))
  const found = find()
  if (found !== undefined) return found
  const failure = caught(() =>
    aptInstall({ what: name, debian, brew, otherwise: `set ${variable} to its file` }, [], env),
  )
  // apt-get fails too when the program is there and the service that it starts is not (its usual port may be taken)
  const installed = find()
  if (installed === undefined)
    throw failure ?? new Error(`${name} was installed but is not in ${folders.join(', ')}`)
  return installed
}

function caught(act: () => void): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}
