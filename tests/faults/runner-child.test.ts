import { fileURLToPath } from 'node:url'
import { freePort, rawConnection, rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'

const SERVICE = fileURLToPath(new URL('./runner-service.mjs', import.meta.url))

let app: SpawnedApp | undefined
afterEach(async () => {
  await app?.stop({ graceMs: 0 })
  app = undefined
})

async function start(env: Readonly<Record<string, string>> = {}, readyPattern?: RegExp): Promise<SpawnedApp> {
  app = await spawnApp({ args: [SERVICE], env: { PORT: '0', ...env }, ...(readyPattern && { readyPattern }) })
  return app
}
const READY = /^ready on http:\/\/127\.0\.0\.1:(\d+)$/

/** A request that has reached the app and is held there. */
async function held(running: SpawnedApp, port: number, ms: number) {
  const connection = await rawConnection({ port })
  connection.send(`GET /?ms=${ms} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await running.waitForLine(/^request /)
  return connection
}

describe('a runner started by hand', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets requests end, tears down and ends with 0',
    async (signal) => {
      const running = await start({}, READY)
      const connection = await held(running, Number(running.ready?.[1]), 300)
      running.signal(signal)
      expect((await connection.read({ method: 'GET' })).body).toBe('app')
      expect(await running.exited).toMatchObject({ code: 0, signal: null })
      expect(running.stdout.slice(-2)).toEqual(['request /?ms=300', 'teardown'])
    },
  )

  it('a teardown that fails is named, and the code is 1', async () => {
    const running = await start({ TEARDOWN: 'throws' }, READY)
    running.signal('SIGTERM')
    expect(await running.exited).toMatchObject({ code: 1 })
    expect(running.stderr.join('\n')).toMatch(/teardown.*nothing to close/)
  })

  it('a setup that throws ends it with 1: told in a line of words and one with its stack, without secrets, no teardown', async () => {
    const running = await start({ SETUP: 'throws' })
    expect(await running.exited).toMatchObject({ code: 1, signal: null })
    expect(running.stdout).toEqual(['setup'])
    expect(running.stderr).toEqual([
      expect.stringMatching(
        /^baldur-health error: runner: the setup: Error: no licence .* at .*setup .*runner-service/,
      ),
      'baldur-health error: setup failed, this instance never gets ready: no licence at postgres://***@db/x',
    ])
    expect(running.stderr.join('\n')).not.toContain('hunter2')
  })

  it('a signal does not wait for a setup that hangs: no teardown, code 0', async () => {
    const port = await freePort()
    const running = await start({ SETUP: 'hangs', PORT: String(port) })
    await running.waitForLine(/^setup$/)
    expect((await rawRequest({ port })).body).toBe('{"status":"starting"}')
    expect((await rawRequest({ port, path: '/health/live' })).status).toBe(200)
    running.signal('SIGTERM')
    expect(await running.exited).toMatchObject({ code: 0, signal: null })
    expect(running.stdout).toEqual(['setup'])
  })

  it('a port that is taken ends it with 1 and names the port', async () => {
    const first = await start({}, READY)
    const port = String(first.ready?.[1])
    const second = await spawnApp({ args: [SERVICE], env: { PORT: port } })
    expect(await second.exited).toMatchObject({ code: 1 })
    expect(second.stderr).toEqual([
      `baldur-health error: setup failed, this instance never gets ready: port ${port} on 127.0.0.1 is taken by another server`,
    ])
    expect(second.stdout).toEqual([])
  })

  it('settings that are wrong end it before anything else, with every problem', async () => {
    const running = await start({ PORT: 'http', BALDUR_NAMESPACE: 'A B' })
    expect(await running.exited).toMatchObject({ code: 1 })
    expect(running.stderr.join('\n')).toMatch(/2 settings are wrong:[\s\S]*PORT: [\s\S]*BALDUR_NAMESPACE: /)
  })

  it('warns of no variable that a supervisor sets', async () => {
    const running = await start(
      { BALDUR_RUNNER_CONTROL: '/nowhere/control', BALDUR_RUNNER_NAME: '1.1' },
      READY,
    )
    await until(() => running.stderr.length > 1)
    expect(running.stderr.join('\n')).not.toContain('not a known variable')
  })
})
