import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rawRequest, spawnApp } from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdminService, OPERATOR, startAdminService } from './admin-service.ts'

let service: AdminService
beforeAll(async () => {
  service = await startAdminService()
  // what a first answer compiles and caches is not what a flood holds
  for (const path of ['/metrics', '/health', '/', '/explain']) {
    await rawRequest({ port: service.adminPort, path, headers: { 'X-Baldur-Admin-Key': OPERATOR } })
  }
})
afterAll(() => service.app.stop())

/** Connections that the server may hold, and files that it has open anyway. */
const BOUND = 128
const MB = 1_000_000

test('10 000 connections with half a request each: few are held, the service answers in under 500 ms, and the admin’s liveness is let in', async () => {
  const before = { ...(await service.held()), files: service.openFiles() ?? 0 }
  const probing = service.probe()
  const flood = await spawnApp({
    args: [
      fileURLToPath(new URL('admin-flood.mjs', import.meta.url)),
      ...[String(service.adminPort), '10000', '12000'],
    ],
  })
  let mostFiles = 0
  const counting = setInterval(() => {
    mostFiles = Math.max(mostFiles, service.openFiles() ?? 0)
  }, 20)
  await flood.waitForLine(/made 10000/, { timeoutMs: 30_000 })
  const during = await service.held()
  // those that are held at last end by themselves
  expect(await flood.exited).toMatchObject({ code: 0 })
  clearInterval(counting)
  const slowest = await probing.stop()
  expect(slowest.count).toBeGreaterThan(20)
  expect(slowest.service).toBeLessThan(500)
  // where the system's line of connections is full it lets one try again after a second
  expect(slowest.admin).toBeLessThan(2_500)
  // the connections of the probes beside them
  expect(mostFiles - before.files).toBeLessThanOrEqual(BOUND + 8)
  expect(during.heap - before.heap).toBeLessThan(10 * MB)
  expect((await service.held()).heap - before.heap).toBeLessThan(5 * MB)
})

test('thousands of requests in one write, on a thousand connections, and nothing is read: little is held, and the service answers in under 500 ms', async () => {
  const before = await service.held()
  const probing = service.probe()
  // of what is open to everybody, the largest
  const many = Buffer.from('GET / HTTP/1.1\r\nHost:[::1]\r\n\r\n'.repeat(2_000))
  let most = 0
  for (let wave = 0; wave < 20; wave++) {
    const sockets = Array.from({ length: 50 }, () => {
      const socket = connect(service.adminPort, '127.0.0.1')
      socket.pause()
      socket.on('error', () => undefined)
      socket.write(many)
      return socket
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    most = Math.max(most, (await service.held()).rss)
    for (const socket of sockets) socket.destroy()
  }
  const slowest = await probing.stop()
  expect(slowest.count).toBeGreaterThan(20)
  expect(slowest.service).toBeLessThan(500)
  expect(slowest.admin).toBeLessThan(2_500)
  expect(most - before.rss).toBeLessThan(100 * MB)
  expect((await service.held()).heap - before.heap).toBeLessThan(5 * MB)
})
