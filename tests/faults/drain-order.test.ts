import { connect } from 'node:net'
import { until } from 'health-testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, get, QUICK, startService } from './drain-process.ts'

afterAll(endProcesses)

describe('what runs when the signal comes', () => {
  test('ends before any hook: a request that queries the pool at its end, 2 s later, gets its row', async () => {
    const app = await startService({
      drain: { requestTimeoutMs: 4_000 },
      hooks: [
        ['health', 'health'],
        ['pool', 'pool'],
      ],
    })
    const asking = await app.sent(get('/query?ms=2000'))
    app.signal('SIGTERM')
    const { status, body, header } = await asking.read()
    expect([status, body, header('connection')]).toEqual([200, 'row', 'close'])
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.stdout.filter((line) => !/answered \/$/.test(line)).slice(1)).toEqual([
      'drains, listening: true',
      'listens no more',
      'answered /query',
      'closed',
      'hook health',
      'hook pool',
      'exit 0',
    ])
  })

  test('a chunked answer comes to its end, and the end of its connection right after it', async () => {
    const app = await startService()
    const client = await app.connect()
    client.send(get('/chunks?ms=10'))
    await expect.poll(() => client.unread).toContain('chunk 1')
    app.signal('SIGTERM')
    const { status, body, framing, header } = await client.read()
    // it was told so before anybody knew of the drain
    expect([status, framing, header('connection')]).toEqual([200, 'chunked', 'keep-alive'])
    expect(body).toBe(`${Array.from({ length: 10 }, (_, i) => `chunk ${i}\n`).join('')}the end`)
    const ended = performance.now()
    expect(await client.closed()).toBe('end')
    expect(performance.now() - ended).toBeLessThan(200)
    client.close()
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })

  test('a request behind a chunked answer is served as a whole, and told to be the last', async () => {
    const app = await startService()
    const client = await app.connect()
    client.send(get('/chunks?ms=10'))
    await expect.poll(() => client.unread).toContain('chunk 1')
    await app.drain()
    client.send(get('/slow?ms=10'))
    expect((await client.read()).body).toMatch(/the end$/)
    const { status, body, header } = await client.read()
    expect([status, body, header('connection')]).toEqual([200, 'waited 10', 'close'])
    expect(await client.closed()).toBe('end')
    client.close()
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })

  test('a large answer reaches a client that reads slowly to its last byte, with a request behind it', async () => {
    const size = 30_000_000
    const app = await startService({ drain: { requestTimeoutMs: 10_000 } })
    const socket = connect(app.port, '127.0.0.1')
    socket.write(get(`/large?ms=${size}`))
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    const over = new Promise<string>((resolve) => {
      socket.on('end', () => resolve('end')).on('error', (error) => resolve(error.message))
    })
    await until(() => received > 0)
    app.signal('SIGTERM')
    await app.waitForLine(/^listens no more/)
    socket.write(get('/slow?ms=1'))
    expect(await over).toBe('end')
    expect(received).toBeGreaterThan(size)
    expect(received).toBeLessThan(size + 1_000)
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })

  test('work that came late on an open connection is served, and counted', async () => {
    const app = await startService({ drain: { lingerMs: 1_000 } })
    const open = await app.sent(get('/'))
    expect((await open.read()).header('connection')).toBe('keep-alive')
    await app.drain()
    await until(app.isRefusing)
    open.send(get('/slow?ms=700'))
    const { status, body, header } = await open.read()
    expect([status, body, header('connection')]).toEqual([200, 'waited 700', 'close'])
    expect(await open.closed()).toBe('end')
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })
})

test('with no delay the exit is at once, what is late is answered 503, and liveness 200', async () => {
  const app = await startService({ drain: { shutdownDelayMs: 0, settleMs: 0, lingerMs: 600 } })
  const paths = ['/', '/health/ready', '/health/live']
  const open = await Promise.all(paths.map(() => app.sent(get('/'))))
  for (const connection of open) await connection.read()
  app.signal('SIGTERM')
  await until(app.isRefusing)
  const answers = await Promise.all(
    open.map((connection, index) => {
      connection.send(get(paths[index] ?? ''))
      return connection.read()
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200])
  expect(answers.map(({ header }) => header('connection'))).toEqual(['close', 'close', 'close'])
  expect(answers[0]?.header('retry-after')).toBe('1')
  const { code, sinceSignalMs } = await app.exited
  expect(code).toBe(0)
  expect(sinceSignalMs).toBeLessThan(QUICK.lingerMs + EXIT_MS)
})
