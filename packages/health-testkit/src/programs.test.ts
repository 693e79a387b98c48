import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findProgram, installCommand, programFile } from './programs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const put = (name: string): string => {
  writeFileSync(join(folder, name), '')
  return join(folder, name)
}

it('findProgram takes the file that the variable names, and no other', () => {
  const file = join(folder, 'other')
  put('haproxy')
  const env = { TEST_HAPROXY_BIN: file, PATH: folder }
  expect(() => findProgram('haproxy', env)).toThrow(`TEST_HAPROXY_BIN is ${file}, which does not exist`)
  put('other')
  expect(findProgram('haproxy', env)).toBe(file)
})

it('findProgram looks on PATH first, then where Debian keeps servers', () => {
  const file = put('haproxy')
  expect(findProgram('haproxy', { PATH: `/nowhere:${folder}` })).toBe(file)
  expect(findProgram('haproxy', { PATH: folder }, ['/usr/sbin'])).toBe(file)
  expect(findProgram('haproxy', { PATH: '/nowhere' }, ['/nowhere/sbin', folder])).toBe(file)
  expect(findProgram('haproxy', { PATH: '/nowhere' }, [])).toBeUndefined()
})

it('findProgram takes another name of the program, and its own name before that', () => {
  const other = put('google-chrome')
  expect(findProgram('chromium', { PATH: folder })).toBe(other)
  const own = put('chromium')
  expect(findProgram('chromium', { PATH: folder })).toBe(own)
})

it('findProgram ignores an empty PATH and an empty variable', () => {
  const before = process.cwd()
  process.chdir(folder)
  try {
    put('chromium')
    expect(findProgram('chromium', { PATH: '', TEST_CHROMIUM_BIN: '' }, [])).toBeUndefined()
  } finally {
    process.chdir(before)
  }
})

it('programFile names the command and the variable where the program is missing', () => {
  expect(() => programFile('chromium', { PATH: '' })).toThrow(
    /^no chromium runs here: run ".* install .*chromium", or set TEST_CHROMIUM_BIN to its file$/,
  )
})

it('installCommand names each package once, for the machine and the user', () => {
  const names = ['prometheus', 'promtool', 'redis-server'] as const
  const apt = ['apt-get', 'install', '-y', '--no-install-recommends', 'prometheus', 'redis-server']
  expect(installCommand(names, { platform: 'linux', isRoot: true })).toEqual(apt)
  expect(installCommand(names, { platform: 'linux', isRoot: false })).toEqual(['sudo', ...apt])
  expect(installCommand(names, { platform: 'darwin', isRoot: false })).toEqual([
    'brew',
    'install',
    'prometheus',
    'redis',
  ])
})
