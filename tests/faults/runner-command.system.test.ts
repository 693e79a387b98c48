import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive, rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { APP } from './runners.ts'

const COMMAND = fileURLToPath(new URL('../../packages/health-runner/dist/baldur-runner.js', import.meta.url))

interface Running {
  readonly app: SpawnedApp
  readonly port: number
  /** The runners' own processes. */
  readonly pids: readonly number[]
  /** The ids of the requests that a runner began. */
  begun(): readonly string[]
}

/** Starts the command with two runners, and waits until both have answered. */
async function start(...flags: readonly string[]): Promise<Running> {
  const log = join(temporaryFolder('runner-command'), 'begun')
  const app = await spawnApp({
    args: [COMMAND, 'start', '--runners', '2', '--port', '0', ...flags, APP],
    env: { RUNNER_LOG: log },
    readyPattern: /^listening on http:\/\/127\.0\.0\.1:(\d+)$/,
  })
  onTestFinished(async () => {
    await app.stop()
  })
  const port = Number(app.ready?.[1])
  const pids = new Set<number>()
  await until(
    async () => {
      const { status, body } = await rawRequest({ port, path: '/do' })
      if (status === 200) pids.add(JSON.parse(body).pid)
      return pids.size === 2
    },
    { timeoutMs: 20_000 },
  )
  return {
    app,
    port,
    pids: [...pids],
    begun: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[0] ?? ''),
  }
}

async function enqueue(port: number, path: string): Promise<string> {
  const { status, body } = await rawRequest({ port, path: `/queue${path}`, method: 'POST', body: '' })
  expect(status).toBe(202)
  return JSON.parse(body).request_id
}

/** Keeps asking on a kept connection until it is refused one; gives every status. */
async function client(port: number): Promise<readonly (number | undefined)[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: (number | undefined)[] = []
  for (;;) {
    const outcome = await new Promise<number | undefined | NodeJS.ErrnoException>((resolve) => {
      get({ port, agent, path: '/do?acts=work:5' }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode)).on('error', resolve)
      }).on('error', resolve)
    })
    if (outcome instanceof Error) {
      agent.destroy()
      if (outcome.code !== 'ECONNREFUSED') throw outcome
      return statuses
    }
    statuses.push(outcome)
  }
}

const goneAll = (pids: readonly number[]): Promise<unknown> =>
  until(() => !pids.some(isAlive), { timeoutMs: 8_000, message: 'the end of every process' })

test('SIGTERM under load: requests are answered, the queue comes to its end, then the runners, and the exit code is 0', async () => {
  const { app, port, pids, begun } = await start('--drain-shutdown-delay', '1.5')
  const clients = Array.from({ length: 20 }, () => client(port))
  const ids = await Promise.all(Array.from({ length: 60 }, () => enqueue(port, '/do?acts=work:60')))
  app.signal('SIGTERM')
  app.signal('SIGTERM')
  await until(async () => (await rawRequest({ port, path: '/gateway/health/ready' })).status === 503)
  expect((await rawRequest({ port, path: '/gateway/health/live' })).status).toBe(200)
  const refused = await rawRequest({ port, path: '/queue/do', method: 'POST', body: '' })
  expect([refused.status, refused.rawHeaders.some(([name]) => name === 'Retry-After')]).toEqual([503, true])
  const statuses = (await Promise.all(clients)).flat()
  const { code } = await app.exited
  expect([code, new Set(statuses)]).toEqual([0, new Set([200])])
  expect(statuses.length).toBeGreaterThan(100)
  expect(ids.filter((id) => !begun().includes(id))).toEqual([])
  expect(pids.filter(isAlive)).toEqual([])
})

test('whoever has a stream of events or a WebSocket open hears the last word of the runner behind it', async () => {
  const { app, port } = await start('--drain-shutdown-delay', '0.2', '--drain-settle', '0')
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const heard: Buffer[] = []
  socket.on('data', (data) => heard.push(data)).on('error', () => undefined)
  socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const events = rawRequest({ port, path: '/do?acts=events', timeoutMs: 20_000 })
  const request = rawRequest({ port, path: '/do?acts=work:1500' })
  await until(() => Buffer.concat(heard).includes('101 Switching'))
  app.signal('SIGTERM')
  const [last, answer] = await Promise.all([events, request])
  expect(answer.status).toBe(200)
  expect((await app.exited).code).toBe(0)
  expect(last.body).toBe('data: hello\n\nevent: bye\ndata: \n\n')
  expect(Buffer.concat(heard).subarray(-4)).toEqual(Buffer.from([0x88, 2, 3, 0xe9]))
})

test('what the queue has not finished within its time is named without its query, and the exit code is 1', async () => {
  const { app, port, pids } = await start(
    ...['--drain-shutdown-delay', '0.2', '--drain-settle', '0', '--drain-request-timeout', '1'],
  )
  const id = await enqueue(port, '/do/that?acts=stall&key=secret')
  app.signal('SIGTERM')
  expect((await app.exited).code).toBe(1)
  const line = app.lines.find((text) => text.includes(id)) ?? ''
  expect(line).toContain(`${id} POST /do/that`)
  expect(app.lines.join('\n')).not.toContain('secret')
  await goneAll(pids)
})

test('a second SIGTERM, later, ends it at once, and leaves no process behind', async () => {
  const { app, pids } = await start('--drain-shutdown-delay', '10')
  app.signal('SIGTERM')
  await app.waitForLine(/drain/i)
  const timer = setInterval(() => app.signal('SIGTERM'), 1_200)
  const { code } = await app.exited
  clearInterval(timer)
  expect(code).toBe(143)
  await goneAll(pids)
})

test('what a runner has left in a session of its own, deaf to SIGTERM, is ended within the time of the drain: exit code 0', async () => {
  const path = join(temporaryFolder('runner-command'), 'app.mjs')
  const deaf = 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)'
  writeFileSync(
    path,
    `import { spawn } from 'node:child_process'
     import { once } from 'node:events'
     import { createServer } from 'node:http'
     const stray = spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], { detached: true })
     await once(stray.stdout, 'data')
     console.log('stray ' + stray.pid)
     createServer((_request, response) => response.end()).listen(process.env.PORT, process.env.HOST)`,
  )
  const app = await spawnApp({
    args: [COMMAND, 'start', '--port', '0', '--kill-after', '1', '--drain-preset', 'development', path],
    readyPattern: /^stray (\d+)$/,
  })
  await app.waitForLine(/-> idle$/)
  app.signal('SIGTERM')
  expect((await app.exited).code).toBe(0)
  expect(isAlive(Number(app.ready?.[1]))).toBe(false)
})

test('killed with SIGKILL it leaves no process behind', async () => {
  const { app, pids } = await start()
  const children = readFileSync(`/proc/${app.pid}/task/${app.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  expect(children.length).toBeGreaterThanOrEqual(2)
  app.signal('SIGKILL')
  await app.exited
  await goneAll([...pids, ...children])
})

test('says each change of a runner in one line', async () => {
  const { app, port, pids } = await start('--request-timeout', '0.5', '--drain-preset', 'development')
  expect((await rawRequest({ port, path: '/do?acts=stall' })).status).toBe(504)
  await app.waitForLine(/request|timed/i, { timeoutMs: 10_000 })
  await until(
    async () => {
      const { status, body } = await rawRequest({ port, path: '/do' })
      return status === 200 && !pids.includes(JSON.parse(body).pid)
    },
    { timeoutMs: 10_000 },
  )
  for (const line of app.lines) expect(line).toMatch(/^(?:listening on |baldur-runner: )/)
})

test.each([
  [
    ['none.js'],
    /^baldur-runner: command: expected a script that exists \(.*\/none\.js does not\), got "none\.js"$/,
  ],
  [['--cwd', '/none', 'app.js'], /^baldur-runner: --cwd: expected a folder that exists, got "\/none"$/],
])('what is not there is said at once, and nothing is started: %j', async (words, line) => {
  const app = await spawnApp({ args: [COMMAND, 'start', '--port', '0', ...words] })
  expect((await app.exited).code).toBe(2)
  expect(app.lines).toEqual([expect.stringMatching(line)])
})

test('a taken port is a clear error, and nothing is left running', async () => {
  const { port } = await start('--drain-preset', 'development')
  const other = await spawnApp({ args: [COMMAND, 'start', '--port', String(port), APP] })
  expect((await other.exited).code).toBe(1)
  expect(other.stderr.join('\n')).toContain(`cannot listen on 127.0.0.1:${port}`)
})

test('outlives whoever reads its log: runners are replaced, it drains, and the exit code is 0', async () => {
  const log = join(temporaryFolder('runner-command'), 'begun')
  const args = [COMMAND, 'start', '--port', '0', '--drain-preset', 'development', APP]
  const child = spawn(process.execPath, args, { env: { ...process.env, RUNNER_LOG: log } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  child.stderr.resume()
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const port = Number(/:(\d+)\n/.exec(line)?.[1])
  const ask = async (acts: string): Promise<number> =>
    (await rawRequest({ port, path: `/do?acts=${acts}` })).status ?? 0
  await until(async () => (await ask('200')) === 200)
  child.stdout.destroy()
  child.stderr.destroy()
  for (const _ of [1, 2, 3]) {
    expect(await ask('503')).toBe(503)
    await until(async () => (await ask('200')) === 200, { timeoutMs: 10_000 })
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
