import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverProgram } from './server-program.ts'

const PROGRAM = { name: 'no-such-server', variable: 'TEST_NO_SUCH_BIN' }
const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'server-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An `apt-get` that appends what it was asked to a file, and then runs this. */
const putAptGet = (script: string): string => {
  const asked = join(folder, 'asked')
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$*" >> "${asked}"\n${script}\n`)
  chmodSync(join(folder, 'apt-get'), 0o755)
  return asked
}

describe('serverProgram', () => {
  it('takes the file that the variable names, and nothing else', () => {
    const file = join(folder, 'other')
    const env = { TEST_NO_SUCH_BIN: file, PATH: folder }
    expect(() => serverProgram(PROGRAM, env)).toThrow(`TEST_NO_SUCH_BIN is ${file}, which is no file`)
    writeFileSync(file, '')
    expect(serverProgram(PROGRAM, env)).toBe(file)
  })

  it('finds it on PATH, and where Debian keeps servers', () => {
    writeFileSync(join(folder, 'no-such-server'), '')
    expect(serverProgram(PROGRAM, { PATH: `/nowhere:${folder}` })).toBe(join(folder, 'no-such-server'))
    const name = ['chroot', 'useradd'].find((one) => existsSync(join('/usr/sbin', one)))
    if (name !== undefined) expect(serverProgram({ ...PROGRAM, name }, {})).toBe(join('/usr/sbin', name))
  })

  it('takes another name that will do, but its own before that', () => {
    const [own, other] = [join(folder, 'no-such-server'), join(folder, 'no-such-cousin')]
    const program = { ...PROGRAM, also: ['no-such-cousin'] }
    writeFileSync(other, '')
    expect(serverProgram(program, { PATH: folder })).toBe(other)
    writeFileSync(own, '')
    expect(serverProgram(program, { PATH: folder })).toBe(own)
  })

  it('names what to install where it cannot', () => {
    expect(() => serverProgram(PROGRAM, { PATH: '' })).toThrow(
      /^no no-such-server runs here: run ".* install no-such-server", or set TEST_NO_SUCH_BIN to its file$/,
    )
  })

  describe.runIf(isRoot)('as root on Debian', () => {
    beforeEach(() => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      return () => vi.restoreAllMocks()
    })

    it('installs it, and waits for another apt-get that is at work', () => {
      const file = join(folder, 'no-such-server')
      const busy = join(folder, 'busy')
      writeFileSync(busy, '')
      putAptGet(
        `[ ! -f "${busy}" ] || { rm "${busy}"; echo "E: Could not get lock" >&2; exit 100; }\n[ "$1" = update ] || : > "${file}"`,
      )
      expect(serverProgram(PROGRAM, { PATH: `${folder}:/bin:/usr/bin` })).toBe(file)
      expect(existsSync(busy)).toBe(false)
    })

    it('installs the package of another name, and takes the program also when its service could not be started', () => {
      const file = join(folder, 'no-such-server')
      const asked = putAptGet(
        `[ "$1" = update ] || { : > "${file}"; echo "invoke-rc.d failed" >&2; exit 100; }`,
      )
      const env = { PATH: `${folder}:/bin:/usr/bin` }
      expect(serverProgram({ ...PROGRAM, debian: 'no-such-core' }, env)).toBe(file)
      expect(readFileSync(asked, 'utf8')).toMatch(/^install .* no-such-core$/m)
    })

    it('says what apt-get said when that failed and the program is not there', () => {
      putAptGet('echo "E: no network" >&2; exit 100')
      expect(() => serverProgram(PROGRAM, { PATH: `${folder}:/bin:/usr/bin` })).toThrow(
        'apt-get install no-such-server failed: E: no network',
      )
    })

    it('says so when the package does not bring it', () => {
      putAptGet('')
      expect(() => serverProgram(PROGRAM, { PATH: folder })).toThrow(
        `no-such-server was installed but is not in ${folder}`,
      )
    })
  })
})
