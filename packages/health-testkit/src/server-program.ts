import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall } from './apt-install.ts'

/** A server's program, its package of the same name, and the variable that chooses another file. */
interface ServerProgram {
  readonly name: string
  readonly variable: string
}

/** Debian keeps servers in folders that only root has on PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** The file of a server's program: the one that the variable names, else from PATH and the folders of servers, else it is installed, else it throws with what to install. */
export function serverProgram(
  { name, variable }: ServerProgram,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const chosen = env[variable]
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`${variable} is ${chosen}, which is no file`)
    return chosen
  }
  const folders = [...(env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS]
  const find = (): string | undefined => folders.map((folder) => join(folder, name)).find(existsSync)
  const found = find()
  if (found !== undefined) return found
  aptInstall({ what: name, debian: name, brew: name, otherwise: `set ${variable} to its file` }, [], env)
  const installed = find()
  if (installed === undefined) throw new Error(`${name} was installed but is not in ${folders.join(', ')}`)
  return installed
}
