import { connect } from 'node:net'
import { rawConnection, until } from 'health-testkit'
import { describe, type TestContext, test } from 'vitest'
import { type AdminService, OPERATOR, startAdminService, VIEWER } from './admin-service.ts'

const MB = 1_000_000

/** A service of its own, ended with its test; and the expectations of that test, since several run at once. */
async function startService({ onTestFinished }: TestContext): Promise<AdminService> {
  const service = await startAdminService()
  onTestFinished(async () => void (await service.app.stop()))
  return service
}

// most of their time is waited for
describe.concurrent('a client that is slow on purpose', () => {
  test('heads that never end are ended after some seconds, and a probe gets in meanwhile', async (context) => {
    const { expect } = context
    const service = await startService(context)
    const began = performance.now()
    const slow = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const connection = await rawConnection({ port: service.adminPort, timeoutMs: 15_000 })
        connection.send('GET /liveness HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
        return connection
      }),
    )
    const drip = setInterval(() => {
      for (const connection of slow) connection.send('x')
    }, 500)
    const probing = service.probe()
    try {
      await Promise.all(slow.map((connection) => connection.closed({ timeoutMs: 15_000 })))
    } finally {
      clearInterval(drip)
    }
    const sinceMs = performance.now() - began
    expect(sinceMs).toBeGreaterThan(4_500)
    expect(sinceMs).toBeLessThan(12_000)
    for (const { unread } of slow) expect(unread).toMatch(/^HTTP\/1\.1 408 /)
    expect((await probing.stop()).count).toBeGreaterThan(10)
  })

  test('a body that never ends is ended after some seconds', async (context) => {
    const { expect } = context
    const service = await startService(context)
    const began = performance.now()
    const connection = await rawConnection({ port: service.adminPort, timeoutMs: 20_000 })
    const head = `POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baldur-Admin-Key: ${OPERATOR}\r\nContent-Length: 100\r\n\r\n`
    connection.send(head)
    const drip = setInterval(() => connection.send(' '), 500)
    try {
      await connection.closed({ timeoutMs: 20_000 })
    } finally {
      clearInterval(drip)
    }
    const sinceMs = performance.now() - began
    expect(sinceMs).toBeGreaterThan(9_000)
    expect(sinceMs).toBeLessThan(17_000)
    expect(connection.unread).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('a head of 1 MB is refused before it is read', async (context) => {
    const { expect } = context
    const service = await startService(context)
    const before = await service.held()
    const sent = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const connection = await rawConnection({ port: service.adminPort })
        connection.send(`GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Big: ${'x'.repeat(MB)}\r\n\r\n`)
        await connection.closed()
        return connection.unread
      }),
    )
    // where a reset overtakes the answer, as it may with bytes that nobody reads, there is none
    for (const answer of sent) expect(answer).toMatch(/^(HTTP\/1\.1 431 |$)/)
    expect((await service.held()).heap - before.heap).toBeLessThan(5 * MB)
  })

  test.for([
    ['POST', '/control'],
    ['GET', '/metrics'],
    ['GET', '/liveness'],
    ['GET', '/readiness'],
    ['GET', '/health/ping'],
    ['GET', '/'],
  ] as const)('a body of 2 GB that nobody asked for is not read: %s %s', async ([method, path], context) => {
    const { expect } = context
    const service = await startService(context)
    const before = await service.held()
    const socket = connect(service.adminPort, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2000000000\r\n\r\n`)
    const chunk = Buffer.alloc(65_536)
    let sent = 0
    while (!socket.destroyed && sent < 2_000_000_000) {
      if (socket.write(chunk)) await new Promise((resolve) => setImmediate(resolve))
      else
        await Promise.race(
          ['drain', 'close'].map((name) => new Promise((resolve) => socket.once(name, resolve))),
        )
      sent += chunk.length
    }
    // what the buffers of the system take is sent and not read
    expect(sent).toBeLessThan(50 * MB)
    expect((await service.held()).rss - before.rss).toBeLessThan(30 * MB)
  })

  test('a client that asks and asks and never reads is held little for, and ended', async (context) => {
    const { expect } = context
    const service = await startService(context)
    const before = await service.held()
    const request = `GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baldur-Admin-Key: ${VIEWER}\r\n\r\n`
    const socket = connect(service.adminPort, '127.0.0.1')
    socket.pause()
    socket.on('error', () => undefined)
    const asking = setInterval(() => {
      if (socket.writableLength < MB) socket.write(request)
    }, 2)
    try {
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      expect((await service.held()).heap - before.heap).toBeLessThan(20 * MB)
      await until(() => socket.destroyed, { timeoutMs: 40_000 })
    } finally {
      clearInterval(asking)
      socket.destroy()
    }
  })
})
