import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { hostname } from 'node:os'
import { createHealth, type Health, type HealthOptions } from '@baldur/health-core'
import { freePort, until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { NOTICE } from '../../packages/health-core/src/options/defaults.ts'

interface Notice {
  readonly event: string
  readonly component: string
  readonly status: string
  readonly [field: string]: unknown
}

let health: Health | undefined
let stop: (() => Promise<void>) | undefined
afterEach(async () => {
  await health?.close()
  await stop?.()
  health = undefined
  stop = undefined
})

/** A receiver that answers what comes in one way after the other; the last one stays. */
async function receiver(...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const requests: { readonly request: IncomingMessage; readonly body: string }[] = []
  let connections = 0
  let open = 0
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ request, body })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      answer?.(request, response)
    })
  })
  server.on('connection', (socket) => {
    connections += 1
    open += 1
    socket.on('close', () => {
      open -= 1
    })
    socket.on('error', () => undefined)
  })
  const port = await freePort()
  const listen = (): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    port,
    requests,
    listen,
    connections: () => connections,
    open: () => open,
    notices: () => requests.map(({ body }) => JSON.parse(body) as Notice),
  }
}
const answer =
  (status: number, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, headers).end('{}')
  }
const stall = (): void => undefined

/** A component that is bad at first, on a clock that runs two hundred times as fast, but for the bound of one attempt to tell its receiver. */
function watching(webhookUrl: string, options: HealthOptions = {}, attemptMs = NOTICE.timeoutMs) {
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const start = performance.now()
  let status: 'healthy' | 'unhealthy' = 'unhealthy'
  const speed = 200
  health = createHealth({
    env: {},
    namespace: 'orders',
    logger: { debug: log, info: log, warn: log, error: log },
    clock: {
      now: () => start + (performance.now() - start) * speed,
      wall: () => Date.now(),
      after: (ms, fire) => {
        // the network is no faster than it is
        const timer = setTimeout(fire, ms === NOTICE.timeoutMs ? attemptMs : ms / speed)
        timer.unref()
        return () => clearTimeout(timer)
      },
    },
    watchdog: {
      webhookUrl,
      components: { event_loop: false, memory: false, checks: false, cache: false, queue: () => status },
    },
    ...options,
  })
  return {
    lines,
    health,
    recover: () => {
      status = 'healthy'
    },
  }
}

test('a component that stays bad is told once, as JSON, and once more when it is well again', async () => {
  const hook = await receiver(answer(204))
  await hook.listen()
  const { lines, recover } = watching(`http://user:s3cret@127.0.0.1:${hook.port}/hooks/t0ken?key=abc`)
  await until(() => hook.requests.length === 1)
  const [first] = hook.requests
  expect(first?.request.method).toBe('POST')
  expect(first?.request.url).toBe('/hooks/t0ken?key=abc')
  expect(first?.request.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(first?.body ?? '')),
    authorization: `Basic ${Buffer.from('user:s3cret').toString('base64')}`,
  })
  expect(hook.notices()[0]).toEqual({
    event: 'escalation',
    component: 'queue',
    status: 'unhealthy',
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
    duration_seconds: expect.any(Number) as unknown,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
    namespace: 'orders',
    host: hostname(),
  })
  recover()
  await until(() => hook.requests.length === 2)
  expect(hook.notices()[1]).toMatchObject({ event: 'recovery', component: 'queue', status: 'healthy' })
  await until(() => hook.open() === 0)
  expect(lines.join('\n')).not.toMatch(/s3cret|t0ken|abc|user/)
})

test('500, then 200: tried again, and the log names the origin alone', async () => {
  const hook = await receiver(answer(500), answer(500), answer(200))
  await hook.listen()
  const { lines } = watching(`http://user:s3cret@127.0.0.1:${hook.port}/hooks/t0ken`)
  await until(() => hook.requests.length === 3)
  await until(() => hook.open() === 0)
  const told = lines.filter((line) => line.includes('did not reach'))
  expect(told).toEqual([
    `watchdog: the escalation of queue did not reach http://127.0.0.1:${hook.port} (it answered 500): retrying`,
  ])
  expect(new Set(hook.notices().map(({ timestamp }) => timestamp)).size).toBe(1)
})

test('a receiver that refuses is tried again, and reached when it is there', async () => {
  const hook = await receiver(answer(200))
  const { lines } = watching(`http://127.0.0.1:${hook.port}/`)
  await until(() => lines.some((line) => line.includes('did not reach')))
  expect(lines.find((line) => line.includes('did not reach'))).toContain('ECONNREFUSED')
  await hook.listen()
  await until(() => hook.requests.length === 1)
})

test('a receiver that accepts and never answers delays no answer', async () => {
  const hook = await receiver(stall)
  await hook.listen()
  const { health: asked } = watching(`http://127.0.0.1:${hook.port}/`, { selfHealing: false })
  await until(() => hook.requests.length === 1)
  for (let times = 0; times < 5; times += 1) await asked.verdict({ nocache: true })
  // all of them came while the first attempt was under way
  expect([hook.requests.length, hook.open()]).toEqual([1, 1])
})

test('a receiver that accepts and never answers holds one socket at a time, and is given up', async () => {
  const hook = await receiver(stall)
  await hook.listen()
  const { lines } = watching(`http://127.0.0.1:${hook.port}/`, {}, 50)
  await until(() => hook.requests.length >= 1)
  let most = 0
  await until(() => {
    most = Math.max(most, hook.open())
    return lines.some((line) => line.includes('giving up after'))
  })
  expect(most).toBe(1)
  expect(hook.connections()).toBe(8)
  await until(() => hook.open() === 0)
})

test('a redirect is not followed, nor tried again', async () => {
  const elsewhere = createTcp()
  let dialled = 0
  elsewhere.on('connection', (socket) => {
    dialled += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo
  const hook = await receiver(answer(307, { location: `http://127.0.0.1:${port}/` }))
  await hook.listen()
  const { lines } = watching(`http://127.0.0.1:${hook.port}/`)
  await until(() => lines.some((line) => line.includes('(it answered 307): giving up after 1 attempt')))
  expect(hook.requests).toHaveLength(1)
  expect(dialled).toBe(0)
  await new Promise((resolve) => elsewhere.close(resolve))
})

test('a notice that was due before a drain still arrives in it', async () => {
  const hook = await receiver(answer(200))
  const { health: leaving, lines } = watching(`http://127.0.0.1:${hook.port}/`)
  await until(() => lines.some((line) => line.includes('retrying')))
  leaving.beginDrain()
  await hook.listen()
  await until(() => hook.requests.length === 1)
})

test('health.close() lets go of a notice under way', async () => {
  const hook = await receiver(stall)
  await hook.listen()
  const { health: closed, lines } = watching(`http://127.0.0.1:${hook.port}/`)
  await until(() => hook.open() === 1)
  await closed.close()
  await until(() => hook.open() === 0)
  expect(lines.filter((line) => line.includes('did not reach'))).toEqual([])
})
