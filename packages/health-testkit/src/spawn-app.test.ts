import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromSource } from './from-source.ts'
import { isAlive } from './is-alive.ts'
import { type SpawnAppOptions, type SpawnedApp, spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

const apps: SpawnedApp[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop({ graceMs: 0 })))
})

async function run(code: string, options: Partial<SpawnAppOptions> = {}): Promise<SpawnedApp> {
  const app = await spawnApp({ args: ['-e', code], ...options })
  apps.push(app)
  return app
}

const FOREVER = 'setInterval(() => {}, 1000)'
describe('spawnApp', () => {
  it('waits for the ready line and gives its match', async () => {
    const app = await run(`setTimeout(() => console.log('port 1234'), 50); ${FOREVER}`, {
      readyPattern: /^port (\d+)$/,
    })
    expect(app.ready?.[1]).toBe('1234')
  })

  it('rejects with the output of a program that ends before it is ready', async () => {
    await expect(run(`console.error('no luck')`, { readyPattern: /ready/ })).rejects.toThrow(
      /^the program ended before a line matched \/ready\/; its output:\nno luck$/,
    )
  })

  it('kills a program that is not ready in time', async () => {
    const slow = run(`console.log(process.pid); ${FOREVER}`, { readyPattern: /ready/, timeoutMs: 2_000 })
    const error = await slow.catch((reason: Error) => reason)
    expect(String(error)).toMatch(/2000 ms passed before a line matched \/ready\//)
    const pid = Number(String(error).split('\n').at(-1))
    expect(pid).toBeGreaterThan(0)
    expect(isAlive(pid)).toBe(false)
  })

  it('collects the lines of both streams', async () => {
    const app = await run(`process.stdout.write('a\\nb'); console.error('c')`)
    await app.exited
    expect([app.stdout, app.stderr]).toEqual([['a', 'b'], ['c']])
    expect([...app.lines].sort()).toEqual(['a', 'b', 'c'])
    expect((await app.waitForLine(/^[c-z]$/))[0]).toBe('c')
    await expect(app.waitForLine(/d/)).rejects.toThrow('the program ended')
  })

  it('gives a small environment, and only what is added to it', async () => {
    vi.stubEnv('BALDUR_LEAK', '1')
    const app = await run('console.log(JSON.stringify(process.env))', { env: { ADDED: '1' } })
    const whole = await run('console.log(JSON.stringify(process.env))', { baseEnv: {}, env: { ONLY: '1' } })
    vi.unstubAllEnvs()
    await Promise.all([app.exited, whole.exited])
    expect(JSON.parse(app.lines[0] ?? '')).toMatchObject({ ADDED: '1', PATH: process.env.PATH })
    expect(app.lines[0]).not.toMatch(/BALDUR_LEAK|VITEST/)
    expect(JSON.parse(whole.lines[0] ?? '')).toEqual({ ONLY: '1' })
  })

  it('reports exit codes, and the signal with the time since it was sent', async () => {
    expect(await (await run('process.exit(3)')).exited).toMatchObject({
      code: 3,
      signal: null,
      sinceSignalMs: undefined,
    })
    const app = await run(
      `process.on('SIGTERM', () => setTimeout(() => process.exit(0), 100)); console.log('on'); ${FOREVER}`,
    )
    await app.waitForLine(/on/)
    app.signal('SIGTERM')
    const exit = await app.exited
    expect(exit).toMatchObject({ code: 0, signal: null })
    expect(exit.sinceSignalMs).toBeGreaterThanOrEqual(95)
    expect(exit.ms).toBeGreaterThan(exit.sinceSignalMs ?? 0)
  })

  it('stops politely, then by force, then not at all', async () => {
    const polite = await run(`process.on('SIGTERM', () => process.exit(7)); console.log('on'); ${FOREVER}`)
    await polite.waitForLine(/on/)
    expect(await polite.stop()).toMatchObject({ code: 7 })
    expect(await polite.stop()).toMatchObject({ code: 7 })
    const stubborn = await run(`process.on('SIGTERM', () => {}); console.log('on'); ${FOREVER}`)
    await stubborn.waitForLine(/on/)
    expect(await stubborn.stop({ graceMs: 50 })).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  it('ends what the program forked and left behind', async () => {
    const app = await run(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}'])
      console.log(child.pid)
      process.exit()`)
    await app.exited
    const pid = Number(app.lines[0])
    await until(() => !isAlive(pid), { message: `process ${pid} to end` })
  })

  it('rejects when there is no such program', async () => {
    await expect(spawnApp({ command: '/no/such/program', args: [] })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  it('ends with a runner that was killed', async () => {
    const runner = await run('', {
      ...fromSource(`
        const app = await kit.spawnApp({ args: ['-e', ${JSON.stringify(FOREVER)}] })
        console.log('app', app.pid)`),
      readyPattern: /^app (\d+)$/,
    })
    const pid = Number(runner.ready?.[1])
    expect(isAlive(pid)).toBe(true)
    runner.signal('SIGKILL')
    await until(() => !isAlive(pid), { message: `process ${pid} to end` })
  })
})
