import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from 'health-testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RunnerWord } from '../control/protocol.ts'
import { makeControlFolder } from './control-folder.ts'
import { openControl } from './control-server.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function controlUnderTest() {
  const folder = mkdtempSync(join(tmpdir(), 'control-'))
  const path = join(folder, 'control')
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const control = await openControl(path, { debug: log, info: log, warn: log, error: log })
  ends.push(control.close, () => rmSync(folder, { recursive: true, force: true }))
  const heard: RunnerWord[] = []
  const mute = control.expect('1.1', (word) => heard.push(word))
  const client = async () => {
    const socket = connect(path)
    let answer = ''
    socket.on('error', (error) => lines.push(`client: ${error.message}`))
    socket.on('data', (piece) => {
      answer += piece
    })
    await once(socket, 'connect')
    return { socket, answered: (text: string) => until(() => answer === text, { message: 'the answer' }) }
  }
  return { path, lines, heard, mute, client }
}

describe('the control folder', () => {
  it.each([undefined, 'x'.repeat(90)])(
    'is this user’s alone, and short enough, where temporary ones are in %s',
    async (below) => {
      const temporary = mkdtempSync(join(tmpdir(), 'folders-'))
      if (below !== undefined) vi.stubEnv('TMPDIR', join(temporary, below))
      ends.push(
        () => vi.unstubAllEnvs(),
        () => rmSync(temporary, { recursive: true, force: true }),
      )
      const [one, other] = [await makeControlFolder(), await makeControlFolder()]
      for (const { folder } of [one, other]) {
        ends.push(() => rmSync(folder, { recursive: true }))
        expect(statSync(folder).mode & 0o777).toBe(0o700)
      }
      expect(one.folder).not.toBe(other.folder)
      const control = await openControl(one.controlPath, { debug() {}, info() {}, warn() {}, error() {} })
      control.close()
    },
  )
})

describe('the control folder, where it cannot be made', () => {
  it('is below /tmp when that of temporary files is not there, or names all that was tried', async () => {
    vi.stubEnv('TMPDIR', '/no/such/folder')
    ends.push(() => vi.unstubAllEnvs())
    const { folder } = await makeControlFolder()
    ends.push(() => rmSync(folder, { recursive: true }))
    expect(folder).toMatch(/^\/tmp\/baldur-runner-/)
    await expect(makeControlFolder(['/no/such/folder', '/proc', 'x'.repeat(90)])).rejects.toThrow(
      /^no folder for the control socket of the runners could be made: \/no\/such\/folder: ENOENT\b.*; \/proc: E.*; x+: too long for a socket \(TMPDIR names another place\)$/,
    )
  })
})

describe('the control socket', () => {
  it('hears words, however they come in pieces, and answers each with a line feed', async () => {
    const { client, heard } = await controlUnderTest()
    const { socket, answered } = await client()
    const words: RunnerWord[] = [
      { name: '1.1', say: 'setup' },
      { name: '1.1', say: 'failed', error: 'größer' },
    ]
    const bytes = Buffer.from(words.map((word) => `${JSON.stringify(word)}\n`).join(''))
    for (let at = 0; at < bytes.length; at += 7) {
      socket.write(bytes.subarray(at, at + 7))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await answered('\n\n')
    expect(heard).toEqual(words)
    socket.destroy()
  })

  it('answers a runner that is gone, and nobody hears it', async () => {
    const { client, heard, mute } = await controlUnderTest()
    const { socket, answered } = await client()
    mute()
    socket.write('{"name":"1.1","say":"ready"}\n{"name":"9.9","say":"ready"}\n')
    await answered('\n\n')
    expect(heard).toEqual([])
    socket.destroy()
  })

  it.each([
    ['no JSON', 'GET / HTTP/1.1\n'],
    ['no object', '"ready"\n'],
    ['nothing', 'null\n'],
    ['no name', '{"say":"ready"}\n'],
    ['no word of ours', '{"name":"1.1","say":"stop"}\n'],
    ['a line without end', 'x'.repeat(70_000)],
  ])('closes a connection that says %s', async (_, text) => {
    const { client, heard, lines } = await controlUnderTest()
    const { socket } = await client()
    const closed = once(socket, 'close')
    socket.write(text)
    await closed
    expect(heard).toEqual([])
    expect(lines).toContain('runner: a control connection said what nobody understands, and was closed')
  })

  it('takes a failure that does not say why', async () => {
    const { client, heard } = await controlUnderTest()
    const { socket, answered } = await client()
    socket.write('{"name":"1.1","say":"failed"}\n')
    await answered('\n')
    expect(heard).toEqual([{ name: '1.1', say: 'failed', error: 'it did not say why' }])
    socket.destroy()
  })

  it.each([
    ['the first that says something', '\\nTypeError: x\\n    at app.py\\n', 'TypeError: x'],
    ['none where none does', ' \\n', 'it did not say why'],
    ['a part, if it is long', 'x'.repeat(9_000), `${'x'.repeat(499)}…`],
  ])('takes one line of a failure: %s', async (_, said, error) => {
    const { client, heard } = await controlUnderTest()
    const { socket, answered } = await client()
    socket.write(`{"name":"1.1","say":"failed","error":"${said}"}\n`)
    await answered('\n')
    expect(heard).toEqual([{ name: '1.1', say: 'failed', error }])
    socket.destroy()
  })

  it('cannot be opened twice', async () => {
    const { path } = await controlUnderTest()
    const silent = { debug() {}, info() {}, warn() {}, error() {} }
    await expect(openControl(path, silent)).rejects.toThrow('EADDRINUSE')
  })
})
