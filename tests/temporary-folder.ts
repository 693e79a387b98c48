import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for the files of a test, empty, and gone after the test. As the TMPDIR of a program it shows whether the program leaves anything behind. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // where the tests run as root, a database runs as another user
  chmodSync(folder, 0o711)
  return folder
}

export const isEmpty = async (folder: string): Promise<boolean> => (await readdir(folder)).length === 0
