import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawRequest, until } from 'health-testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { APP, fleetUnderTest } from '../testing/fleet-under-test.ts'

describe('a runner that starts', () => {
  it('is ready when its port is open and it has said nothing', async () => {
    const { fleet, idle, take, event, moves } = await fleetUnderTest('listen')
    expect(fleet.hasReady).toBe(false)
    expect(fleet.take('direct')).toBeUndefined()
    await idle(1)
    expect(fleet.hasReady).toBe(true)
    const lease = take()
    const { name, host, port } = lease.runner
    expect({ name, host }).toEqual({ name: '1.1', host: '127.0.0.1' })
    expect((await rawRequest({ port, path: '/' })).status).toBe(200)
    lease.end({ kind: 'answered', status: 200 })
    expect((await event('1.1', 'starting')).pid).toBe(lease.runner.pid)
    expect(moves('1.1')).toBe('starting idle running idle')
  })

  it('is ready when it says so, after a setup', async () => {
    const { event, moves, put, idle, fleet } = await fleetUnderTest('words')
    await event('1.1', 'setup')
    expect(fleet.take('direct')).toBeUndefined()
    put('go')
    await idle(1)
    expect(moves('1.1')).toBe('starting setup idle')
  })

  it('is given nothing while its setup is under way, although its port is open', async () => {
    const { fleet, put, idle, notes, moves } = await fleetUnderTest('early')
    await until(() => notes('listening').length === 1)
    const port = Number(notes('starts')[0]?.split(' ')[2])
    expect((await rawRequest({ port, path: '/' })).status).toBe(200)
    // more than the looks at the port that would make one ready that has said nothing
    const looks = Array.from({ length: 20 }, () => new Promise((resolve) => setTimeout(resolve, 10)))
    await Promise.all(
      looks.map(async (look) => look.then(() => expect(fleet.take('direct')).toBeUndefined())),
    )
    expect(fleet.hasReady).toBe(false)
    put('go')
    await idle(1)
    expect(moves('1.1')).toBe('starting setup idle')
  })

  it('whose setup failed is ended at once, and never sees a request', async () => {
    const { event, fleet, notes, moves, lines } = await fleetUnderTest('failed')
    const { reason, detail } = await event('1.1', 'terminating')
    expect({ reason, detail }).toEqual({ reason: 'setup_failed', detail: 'no database' })
    await event('1.1', 'gone')
    expect(fleet.take('direct')).toBeUndefined()
    expect(notes('connections')).toEqual([])
    expect(moves('1.1')).toBe('starting setup terminating gone')
    expect(lines).toContain('warn: runner 1.1: setup_failed: no database')
  })

  it('and ends itself is gone with its exit code, and followed by another after a while', async () => {
    const { event, moves } = await fleetUnderTest('exit')
    expect(await event('1.1', 'gone')).toMatchObject({ reason: 'exited', detail: 'exit code 3' })
    const next = await event('1.2', 'crash_backoff')
    expect(next).toMatchObject({ pid: undefined, detail: 'it is started in 1000 ms' })
    expect(moves('1.1')).toBe('starting gone')
  })

  it('and does neither open its port nor say anything is ended at the start timeout', async () => {
    const { event, moves } = await fleetUnderTest('never', { startTimeoutMs: 300 })
    const { reason, detail } = await event('1.1', 'terminating')
    expect(reason).toBe('start_timed_out')
    expect(detail).toMatch(/^its port \d+ had not opened after 300 ms$/)
    expect((await event('1.1', 'gone')).detail).toBe('SIGTERM')
    expect(moves('1.1')).toBe('starting terminating gone')
  })

  it('and whose setup never ends is ended at the start timeout, with SIGKILL if it must be', async () => {
    const { event, clock, notes } = await fleetUnderTest('deafSetup', {
      startTimeoutMs: 5_000,
      killAfterMs: 100,
    })
    await event('1.1', 'setup')
    clock.jump(5_000)
    expect((await event('1.1', 'terminating')).detail).toBe('its setup had not ended after 5000 ms')
    expect((await event('1.1', 'gone')).detail).toBe('SIGKILL')
    expect(notes('connections')).toEqual([])
  })

  it.each([
    ['/no/such/program', 'the program /no/such/program was not found'],
    ['no-such-program', 'the program no-such-program was not found on the PATH'],
    ['/etc', 'spawn /etc EACCES'],
  ])('that cannot be started is gone, and its place goes on: %s', async (program, why) => {
    // a PATH without folders that this user may not read: there a missing program would be EACCES
    const { event } = await fleetUnderTest('', { command: [program], runnerEnv: { PATH: '/usr/bin:/bin' } })
    const { reason, detail, pid } = await event('1.1', 'gone')
    expect({ reason, pid }).toEqual({ reason: 'exited', pid: undefined })
    expect(detail).toBe(`it could not be started: ${why}`)
    await event('1.2', 'crash_backoff')
  })

  it('that cannot be started for want of its folder, or of what runs its script, says so', async () => {
    const gone = await fleetUnderTest('', { cwd: '/no/such/folder' })
    expect((await gone.event('1.1', 'gone')).detail).toBe(
      'it could not be started: the folder /no/such/folder is not there',
    )
    const script = program('run.sh', '#!/no/such/shell\n')
    const { event } = await fleetUnderTest('', { command: [script] })
    expect((await event('1.1', 'gone')).detail).toBe(
      `it could not be started: what the first line of ${script} names was not found`,
    )
  })

  it('that nobody could ever start is gone, too', async () => {
    const { event } = await fleetUnderTest('', { command: ['a\0b'] })
    expect((await event('1.1', 'gone')).detail).toContain('it could not be started: ')
  })

  it('on a port that a stranger took meanwhile is not ready', async () => {
    const { event, notes, fleet, clock } = await fleetUnderTest('robbed', { startTimeoutMs: 30_000 })
    await until(() => notes('strangers').length === 1)
    const port = Number(notes('starts')[0]?.split(' ')[2])
    try {
      // the supervisor looks again only when it has judged its last look: after four looks the second was judged
      let asked = 0
      await until(async () => {
        const { body } = await rawRequest({ port, path: '/' })
        asked += 1
        return Number(body) - asked >= 4
      })
      expect(fleet.take('direct')).toBeUndefined()
      clock.jump(30_000)
      const { detail } = await event('1.1', 'terminating')
      expect(detail).toBe(`its port ${port} was opened by a program that is none of its own after 30000 ms`)
    } finally {
      process.kill(Number(notes('strangers')[0]), 'SIGKILL')
    }
  })

  it('and talks nonsense to its supervisor is taken by its port', async () => {
    const { idle, lines } = await fleetUnderTest('nonsense')
    await idle(1)
    expect(lines).toContain('warn: runner: a control connection said what nobody understands, and was closed')
  })
})

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A program that is written for the test, in a folder of its own. */
function program(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'))
  folders.push(folder)
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

const PYTHON = `
import http.server, os
class App(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_):
        pass
server = http.server.HTTPServer((os.environ['HOST'], int(os.environ['PORT'])), App)
server.serve_forever()
`
const hasPython = spawnSync('python3', ['--version']).status === 0

describe('a program of another kind', () => {
  it.each([
    [
      'a shell script that starts the app and waits',
      `#!/bin/sh\n"${process.execPath}" "${APP}"\necho over\n`,
    ],
    ['a shell script that becomes the app', `#!/bin/sh\nexec "${process.execPath}" "${APP}"\n`],
    ['a shell script with the app in the background', `#!/bin/sh\n"${process.execPath}" "${APP}" &\nwait\n`],
  ])('%s serves, and all of it ends', async (_, text) => {
    const { idle, take, fleet, notes } = await fleetUnderTest('slow', { command: [program('run.sh', text)] })
    await idle(1)
    const { port } = take().runner
    expect((await rawRequest({ port, path: '/' })).status).toBe(200)
    await fleet.stop()
    // it had the time that it took, although the shell was gone before
    expect(notes('exits')).toEqual(['1.1 0'])
  })

  it(`${hasPython ? 'Python' : 'a shell'} serves on the port that it is given`, async () => {
    const command: readonly [string, ...string[]] = hasPython
      ? ['python3', program('run.py', PYTHON)]
      : ['/bin/sh', '-c', `"${process.execPath}" "${APP}"`]
    const { idle, take, fleet, event } = await fleetUnderTest('listen', { command })
    await idle(1)
    const lease = take()
    expect((await rawRequest({ port: lease.runner.port, path: '/' })).status).toBe(200)
    lease.end({ kind: 'answered', status: 200 })
    await fleet.stop()
    expect((await event('1.1', 'gone')).reason).toBe('stopped')
  })
})
