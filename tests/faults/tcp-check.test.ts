import { tcpCheck } from '@baldur/health-core/tcp'
import { freePort, until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { type ByteServer, byteServer, checked, FAST } from './run-checks.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
async function serve(each: Parameters<typeof byteServer>[0], host?: string): Promise<ByteServer> {
  const server = await byteServer(each, undefined, host)
  closers.push(server.close)
  return server
}

test('a server that accepts is usable, answers or not, and is let go within the run', async () => {
  const ends: string[] = []
  const server = await serve((socket) => {
    socket.resume()
    socket.on('end', () => ends.push('end'))
    socket.on('error', () => ends.push('error'))
  })
  const { run } = checked(tcpCheck('127.0.0.1', server.port, FAST))
  for (let i = 0; i < 100; i++) expect(await run()).toBe('usable')
  await until(() => ends.length === 100)
  expect(new Set(ends)).toEqual(new Set(['end']))
  expect([server.opened, server.open]).toEqual([100, 0])
})

test('a hundred polls at once are one connection', async () => {
  const server = await serve((socket) => void socket.resume())
  const { health } = checked(tcpCheck('127.0.0.1', server.port, FAST), { readiness: { cacheTtlMs: 5_000 } })
  await Promise.all(Array.from({ length: 100 }, () => health.readiness()))
  expect(server.opened).toBe(1)
})

test('a server that speaks first has accepted; one that resets at once reads as what came first', async () => {
  const banner = await serve((socket) => socket.write('220 mail\r\n'))
  expect(await checked(tcpCheck('127.0.0.1', banner.port, FAST)).run()).toBe('usable')
  const resetting = await serve((socket) => void socket.resetAndDestroy())
  const { run } = checked(tcpCheck('127.0.0.1', resetting.port, FAST))
  for (let i = 0; i < 20; i++) expect(await run()).toMatch(/^(usable|ECONNRESET: connection reset)$/)
})

test('a port that nobody listens on', async () => {
  const { run, lines } = checked(tcpCheck('127.0.0.1', await freePort(), FAST))
  expect(await run()).toBe('ECONNREFUSED: connection refused')
  expect(lines).toHaveLength(1)
})

test('a name of which one address refuses is tried on the other', async () => {
  const server = await serve((socket) => void socket.resume(), '127.0.0.1')
  expect(await checked(tcpCheck('localhost', server.port, FAST)).run()).toBe('usable')
  const refused = checked(tcpCheck('localhost', await freePort(), FAST))
  expect(await refused.run()).toBe('ECONNREFUSED: connection refused')
})

test('IPv6', async () => {
  const server = await serve((socket) => void socket.resume(), '::1')
  expect(await checked(tcpCheck('::1', server.port, FAST)).run()).toBe('usable')
})

test('a host that takes no packet is bounded by the run’s timeout, and leaves nothing behind', async () => {
  // set aside for documents (RFC 5737): where the network refuses it at once, that is as good
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const { run } = checked(tcpCheck('192.0.2.1', 9, FAST))
  // of other tests in this process
  const before = sockets()
  expect(await run()).toMatch(
    /^(TIMEOUT: no answer in 400 ms|E(NETUNREACH|HOSTUNREACH|CONNREFUSED|ACCES): .*)$/,
  )
  expect(sockets()).toBeLessThanOrEqual(before)
})

test('a host that is not there', async () => {
  const { run } = checked(tcpCheck('no-such-host.invalid', 80, { timeoutMs: 5_000 }))
  expect(await run()).toMatch(/^(ENOTFOUND: host name not found|EAI_AGAIN: name service not available)$/)
})
