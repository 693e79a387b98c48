import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnApp, until } from 'health-testkit'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { enqueue, type Started, start } from './runners.ts'

const PACKAGE = fileURLToPath(new URL('../../packages/health-runner/dist/index.js', import.meta.url))

/** A program that writes to RUNNER_LOG whatever request reaches its app. */
function program(setup: string): string {
  const path = join(temporaryFolder('runner-start'), 'app.mjs')
  writeFileSync(
    path,
    `import { appendFileSync } from 'node:fs'
     import { serveRunner } from ${JSON.stringify(PACKAGE)}
     const listener = (request, response) => {
       appendFileSync(process.env.RUNNER_LOG, 'x 1 ' + process.pid + ' ' + request.url + '\\n')
       response.end('served')
     }
     ${setup}`,
  )
  return path
}

/** Asks in every way while no runner can be ready; whatever was asked is still in line, or was told so. */
async function ask(started: Started): Promise<void> {
  await enqueue(started, '/queued')
  const { status } = await started.request('/direct')
  expect([503, 504]).toContain(status)
}

const OPTIONS = { wait: false, startTimeoutMs: 1_500, killAfterMs: 300, waitingLine: { timeoutMs: 400 } }

test.each([
  ['throws', `serveRunner({ listener, setup: () => { throw new Error('no model') } })`, 'setup_failed'],
  [
    'rejects',
    `serveRunner({ listener, setup: async () => { throw new Error('no model') } })`,
    'setup_failed',
  ],
  ['hangs', `serveRunner({ listener, setup: () => new Promise(() => {}) })`, 'start_timed_out'],
  ['exits', `serveRunner({ listener, setup: () => process.exit(7) })`, 'exited'],
  ['blocks for ever', `serveRunner({ listener, setup: () => { for (;;); } })`, 'start_timed_out'],
])('a setup that %s: no request ever reaches the app', async (_what, setup, reason) => {
  const started = await start({ ...OPTIONS, command: program(setup) })
  await ask(started)
  await until(() => started.events.some(({ reason: why }) => why === reason), {
    timeoutMs: 10_000,
    message: `${reason} among ${JSON.stringify(started.events)}`,
  })
  expect(started.begun()).toEqual([])
})

/** A setup that throws, and an app that takes its time to close. */
const fails = (options: string): string => `
  import { createServer } from 'node:http'
  const server = createServer(listener)
  const app = {
    server,
    ready: async () => {},
    listen: (at) => new Promise((resolve) => server.listen(at, resolve)),
    close: async () => {
      console.log('closing')
      await new Promise((resolve) => setTimeout(resolve, 300))
      appendFileSync(process.env.RUNNER_LOG, 'x 1 ' + process.pid + ' closed\\n')
      console.log('closed')
    },
  }
  await serveRunner({ app, setup: () => { throw new Error('no model') }, ${options} })
    .catch(() => setInterval(() => {}, 1000))`

test('a setup that throws: what the app holds is closed in peace, and the exit code is 1', async () => {
  const started = await start({ ...OPTIONS, killAfterMs: 5_000, command: program(fails('')) })
  const gone = await until(() => started.events.find(({ to }) => to === 'gone'), { timeoutMs: 10_000 })
  expect(gone).toMatchObject({ reason: 'setup_failed', detail: 'exit code 1' })
  expect(started.begun()[0]?.[3]).toBe('closed')
})

test('a signal that comes while a failed setup is left behind ends a process that lives on, and cuts nothing short', async () => {
  const path = program(fails('exit: false'))
  const app = await spawnApp({ args: [path], env: { PORT: '0', RUNNER_LOG: `${path}.log` } })
  await app.waitForLine(/^closing$/)
  app.signal('SIGTERM')
  expect(await app.exited).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(app.stdout).toEqual(['closing', 'closed'])
})

test('a port that never opens: the process is ended after the start timeout, and another is tried', async () => {
  const path = join(temporaryFolder('runner-start'), 'app.mjs')
  writeFileSync(path, 'setInterval(() => {}, 1000)')
  const started = await start({ ...OPTIONS, command: path })
  await ask(started)
  await until(() => started.events.some(({ reason }) => reason === 'start_timed_out'), { timeoutMs: 10_000 })
  await until(() => started.events.filter(({ to }) => to === 'starting').length >= 2, { timeoutMs: 15_000 })
  expect(started.begun()).toEqual([])
})

test('a port that opens before the setup has ended: no request reaches the app before it has', async () => {
  const setup = `
    import { existsSync } from 'node:fs'
    serveRunner({ listener, setup: async () => {
      while (!existsSync(process.env.RUNNER_ILL)) await new Promise((resolve) => setTimeout(resolve, 20))
    } })`
  const started = await start({ ...OPTIONS, startTimeoutMs: 20_000, command: program(setup) })
  await until(() => started.events.some(({ to }) => to === 'setup'), { timeoutMs: 10_000 })
  const { id, status, result } = await enqueue(started, '/queued')
  for (let i = 0; i < 3; i++) expect((await started.request('/direct')).status).toBe(504)
  expect(await status()).toEqual({ status: 'IN_QUEUE', queue_position: 0 })
  expect(started.begun()).toEqual([])
  writeFileSync(started.illFile, '')
  expect([id.length, (await result()).body]).toEqual([32, 'served'])
  expect((await started.request('/direct')).body).toBe('served')
})
