import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** For the files of a demo: as its TMPDIR it shows whether the demo leaves anything behind. Gone after the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // where the tests run as root, the database runs as another user
  await chmod(folder, 0o711)
  return folder
}

export const isEmpty = async (folder: string): Promise<boolean> => (await readdir(folder)).length === 0
