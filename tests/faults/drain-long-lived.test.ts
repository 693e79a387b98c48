import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { afterAll, describe, expect, test } from 'vitest'
import { type DrainProcess, EXIT_MS, endProcesses, get, QUICK, startService } from './drain-process.ts'

afterAll(endProcesses)

const UPGRADE = get(
  '/chat?token=secret',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
)
/** A close frame, with the code 1001 (going away). */
const GOING_AWAY = '\x88\x02\x03\xe9'

const EVENTS = 'Accept: text/event-stream\r\n'

/** A WebSocket whose handshake is done. */
async function webSocket(app: DrainProcess) {
  const connection = await app.connect()
  connection.send(UPGRADE)
  const { status, header } = await connection.read()
  expect([status, header('sec-websocket-accept')]).toEqual([101, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='])
  return connection
}

/** A stream of events that has begun. */
async function eventStream(app: DrainProcess, headers = '') {
  const connection = await app.connect()
  connection.send(get('/events', headers))
  await expect.poll(() => connection.unread).toContain('data: 1')
  return connection
}

describe.concurrent('what goes on for ever', () => {
  test('is told first, a WebSocket with the code 1001 and a stream of events with its own word, then ended; a request that runs waits for neither', async () => {
    const app = await startService()
    const [socket, events] = [await webSocket(app), await eventStream(app, EVENTS)]
    const plain = await app.sent(get('/slow?ms=900'))
    app.signal('SIGTERM')
    expect(await socket.closed()).toBe('end')
    expect(socket.unread).toBe(GOING_AWAY)
    socket.close()
    const { body, framing } = await events.read()
    expect([body, framing]).toEqual(['data: 1\n\nevent: bye\ndata:\n\n', 'chunked'])
    events.close()
    expect((await plain.read()).body).toBe('waited 900')
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + 900 + EXIT_MS)
    // once nothing new can come, not before
    const told = app.stdout.filter((line) => line.startsWith('told')).sort()
    expect(told).toEqual(['told /chat?token=secret, listening: false', 'told /events, listening: false'])
    expect(app.stderr).toEqual([])
  })

  test('is known by its answer too: a stream of events that was not asked for as one does not hold the exit', async () => {
    const app = await startService()
    const events = await eventStream(app)
    app.signal('SIGTERM')
    expect((await events.read()).body).toBe('data: 1\n\nevent: bye\ndata:\n\n')
    events.close()
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
    expect(app.stderr).toEqual([])
  })

  test('is closed after its share of time where the app’s word never ends, and cut where the client does not answer it', async () => {
    const app = await startService({ drain: { requestTimeoutMs: 5_000 }, tell: 'hang' })
    const open = [await webSocket(app), await webSocket(app), await eventStream(app, EVENTS)]
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([0, null])
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + QUICK.hookTimeoutMs + 2 * 300 + EXIT_MS)
    for (const connection of open) expect(await connection.closed()).toBe('end')
  })

  test('is not begun in a drain: an upgrade gets 503 and the end of its connection, and what is open stays until the listener closes', async () => {
    const app = await startService({ drain: { shutdownDelayMs: 800 } })
    const socket = await webSocket(app)
    await app.drain()
    const late = await app.connect()
    late.send(UPGRADE)
    const { status, header, body } = await late.read()
    expect([status, header('connection'), header('retry-after')]).toEqual([503, 'close', '1'])
    expect(JSON.parse(body).status).toBe('draining')
    expect(await late.closed()).toBe('end')
    expect(socket.unread).toBe('')
    expect(app.stdout).not.toContain('listens no more')
    await socket.closed()
    socket.close()
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
  })

  test('of HTTP/2, sessions are told to open no more streams as soon as the listener closes, streams that run end, and the process with them', async () => {
    const lingerMs = 1_500
    const app = await startService({ drain: { lingerMs }, server: 'http2' })
    const url = `http://127.0.0.1:${app.port}`
    const [busy, idle] = [connectHttp2(url), connectHttp2(url)]
    await Promise.all([once(busy, 'remoteSettings'), once(idle, 'remoteSettings')])
    const stream = busy.request({ ':path': '/slow?ms=900' }).setEncoding('utf8')
    const goneAway = Promise.all([once(busy, 'goaway'), once(idle, 'goaway')])
    const closed = Promise.all([once(busy, 'close'), once(idle, 'close')])
    const began = performance.now()
    app.signal('SIGTERM')
    await goneAway
    expect(performance.now() - began).toBeGreaterThan(QUICK.shutdownDelayMs)
    expect(performance.now() - began).toBeLessThan(QUICK.shutdownDelayMs + EXIT_MS)
    let body = ''
    for await (const chunk of stream) body += chunk
    expect(body).toBe('waited 900')
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(QUICK.shutdownDelayMs + lingerMs + EXIT_MS)
    await closed
  })
})
