import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Keeper } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import type { ServerUser } from './server-user.ts'

export interface DataTemplate {
  /** Makes the folder, or an empty one that is there, into one that a server can start on. */
  copyTo(dir: string): Promise<void>
}

interface TemplatePlan {
  /** Of the template's own folder, below the keeper's. */
  readonly name: string
  /** Whom the folders belong to. */
  readonly user: ServerUser
  /** The program that fills an empty folder. */
  fill(dir: string): { readonly command: string; readonly args: readonly string[] }
}

/** Fills one folder at the first copy, with a program that takes a multiple of a copy's 0.05 s. */
export function dataTemplate(keeper: Keeper, { name, user, fill }: TemplatePlan): DataTemplate {
  const template = join(keeper.folder, name)
  let made: Promise<void> | undefined

  const prepare = (dir: string) => {
    mkdirSync(dir, { recursive: true })
    chmodSync(dir, 0o700)
    if ('uid' in user) chownSync(dir, user.uid, user.gid)
  }
  const run = async (command: string, args: readonly string[]) => {
    let output = ''
    const spec = { command, args, cwd: keeper.folder, env: minimalEnv(), ...user }
    const running = await keeper.start(spec, (text) => {
      output += text
    })
    const { code } = await keeper.hold(running.exited)
    if (code !== 0) throw new Error(`${command} failed: ${output.trim()}`)
  }
  const make = async () => {
    prepare(template)
    const { command, args } = fill(template)
    await run(command, args)
  }

  return {
    async copyTo(dir) {
      made ??= make()
      await made
      prepare(dir)
      // Not `fs.cp`: it takes longer, and as root it would leave root's files to the server's user.
      await run('cp', ['-Rp', `${template}/.`, dir])
    },
  }
}
