import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from './message-of.ts'

export interface ControlFolder {
  readonly folder: string
  /** Of the socket. Nobody else's: by it in their variables, all processes of these runners are known. */
  readonly controlPath: string
}

// what the address of a Unix socket holds on every system
const LONGEST_PATH = 103

/** A folder that only this user may enter, in the first of these places where there can be one. Rejects with why there is none in any. */
export async function makeControlFolder(
  places: readonly string[] = [tmpdir(), '/tmp'],
): Promise<ControlFolder> {
  const name = `baldur-runner-${randomBytes(16).toString('hex')}`
  const faults: string[] = []
  for (const place of places) {
    const folder = join(place, name)
    const controlPath = join(folder, 'control')
    if (controlPath.length > LONGEST_PATH) {
      faults.push(`${place}: too long for a socket`)
      continue
    }
    try {
      await mkdir(folder, { mode: 0o700 })
      return { folder, controlPath }
    } catch (error) {
      faults.push(`${place}: ${messageOf(error)}`)
    }
  }
  const all = faults.join('; ')
  throw new Error(
    `no folder for the control socket of the runners could be made: ${all} (TMPDIR names another place)`,
  )
}
