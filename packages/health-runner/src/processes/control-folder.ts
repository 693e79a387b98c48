import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface ControlFolder {
  readonly folder: string
  /** Of the socket. Nobody else's: by it in their variables, all processes of these runners are known. */
  readonly controlPath: string
}

// what the address of a Unix socket holds on every system
const LONGEST_PATH = 103

/** A folder that only this user may enter. */
export async function makeControlFolder(): Promise<ControlFolder> {
  const name = `baldur-runner-${randomBytes(16).toString('hex')}`
  const paths = [tmpdir(), '/tmp'].map((base) => ({
    folder: join(base, name),
    controlPath: join(base, name, 'control'),
  }))
  const path = paths.find(({ controlPath }) => controlPath.length <= LONGEST_PATH)
  if (path === undefined) throw new Error('there is no short enough path for the control socket')
  await mkdir(path.folder, { mode: 0o700 })
  return path
}
