import { connect } from 'node:net'
import { rawConnection, until } from 'health-testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AdminService, OPERATOR, startAdminService, VIEWER } from './admin-service.ts'

const MB = 1_000_000

async function startService(): Promise<AdminService> {
  const service = await startAdminService()
  onTestFinished(async () => void (await service.app.stop()))
  return service
}

// most of their time is waited for
describe.concurrent('a client that is slow on purpose', () => {
  test('heads that never end are ended after some seconds, and a probe gets in meanwhile', async () => {
    const service = await startService()
    const slow = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const connection = await rawConnection({ port: service.adminPort, timeoutMs: 10_000 })
        connection.send('GET /liveness HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
        return connection
      }),
    )
    const drip = setInterval(() => {
      for (const connection of slow) connection.send('x')
    }, 500)
    const probing = service.probe()
    try {
      await Promise.all(slow.map((connection) => connection.closed({ timeoutMs: 10_000 })))
      for (const { unread } of slow) expect(unread).toMatch(/^(HTTP\/1\.1 408 |$)/)
    } finally {
      clearInterval(drip)
    }
    const { service: own, admin } = await probing.stop()
    expect(own).toBeLessThan(500)
    expect(admin).toBeLessThan(500)
  })

  test('a body that never ends is ended after some seconds', async () => {
    const service = await startService()
    const connection = await rawConnection({ port: service.adminPort, timeoutMs: 15_000 })
    const head = `POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baldur-Admin-Key: ${OPERATOR}\r\nContent-Length: 100\r\n\r\n`
    connection.send(head)
    const drip = setInterval(() => connection.send(' '), 500)
    try {
      await connection.closed({ timeoutMs: 15_000 })
    } finally {
      clearInterval(drip)
    }
    expect(connection.unread).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
  })

  test('a head of 1 MB is refused before it is read', async () => {
    const service = await startService()
    const before = await service.held()
    const sent = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const connection = await rawConnection({ port: service.adminPort })
        connection.send(`GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Big: ${'x'.repeat(MB)}\r\n\r\n`)
        await connection.closed()
        return connection.unread
      }),
    )
    for (const answer of sent) expect(answer).toMatch(/^(HTTP\/1\.1 431 |$)/)
    expect((await service.held()).heap - before.heap).toBeLessThan(5 * MB)
  })

  test('a body of 100 MB that nobody asked for is refused and not read', async () => {
    const service = await startService()
    const before = await service.held()
    const connection = await rawConnection({ port: service.adminPort })
    connection.send(`POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${100 * MB}\r\n\r\n`)
    const chunk = 'x'.repeat(MB)
    for (let i = 0; i < 100; i++) connection.send(chunk)
    await connection.closed()
    expect((await service.held()).rss - before.rss).toBeLessThan(30 * MB)
  })

  test('a client that asks and asks and never reads is held little for, and ended', async () => {
    const service = await startService()
    const before = await service.held()
    const request = `GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baldur-Admin-Key: ${VIEWER}\r\n\r\n`
    const socket = connect(service.adminPort, '127.0.0.1')
    socket.pause()
    let isClosed = false
    socket.on('error', () => undefined)
    socket.on('close', () => {
      isClosed = true
    })
    const asking = setInterval(() => {
      if (socket.writableLength < MB) socket.write(request.repeat(100))
    }, 10)
    try {
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      expect((await service.held()).heap - before.heap).toBeLessThan(20 * MB)
      const isGone = async (): Promise<boolean> => isClosed || socket.destroyed
      await until(isGone, { timeoutMs: 40_000 })
    } finally {
      clearInterval(asking)
      socket.destroy()
    }
  })
})
