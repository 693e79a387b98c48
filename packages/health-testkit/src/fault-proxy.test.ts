import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FaultProxy, faultProxy } from './fault-proxy.ts'
import { freePort } from './free-port.ts'
import { type RawConnection, rawConnection } from './raw-connection.ts'
import { until } from './until.ts'

/** Long enough for loopback traffic that should not come to have come. */
const QUIET_MS = 80

let echo: Server
let proxy: FaultProxy
let accepted: Socket[]
const connections: RawConnection[] = []

beforeEach(async () => {
  accepted = []
  echo = createServer((socket) => {
    accepted.push(socket)
    socket.on('error', () => {}).pipe(socket)
  })
  await once(echo.listen(0, '127.0.0.1'), 'listening')
  proxy = await faultProxy((echo.address() as AddressInfo).port)
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close()
  await proxy.close()
  for (const socket of accepted) socket.destroy()
  echo.close()
})

async function client(): Promise<RawConnection> {
  const connection = await rawConnection({ port: proxy.port, timeoutMs: 2000 })
  connections.push(connection)
  return connection
}

async function echoes(connection: RawConnection, text: string): Promise<number> {
  const before = connection.unread
  const start = performance.now()
  connection.send(text)
  await until(() => connection.unread === before + text, { message: `the echo of ${text}`, everyMs: 1 })
  return performance.now() - start
}

it('passes bytes and ends, and counts connections', async () => {
  const first = await client()
  const second = await client()
  await echoes(first, 'hello')
  await echoes(second, 'x'.repeat(300_000))
  expect([proxy.open, proxy.opened]).toEqual([2, 2])
  first.end()
  expect(await first.closed()).toBe('end')
  await until(() => proxy.open === 1)
  await client()
  await until(() => proxy.opened === 3)
})

/** Each way; far above what an echo without it takes on a busy machine. */
const DELAY_MS = 300

it('delays both directions, in order, on open connections too', async () => {
  const connection = await client()
  expect(await echoes(connection, 'fast')).toBeLessThan(DELAY_MS)
  proxy.delay(DELAY_MS)
  connection.send('1')
  connection.send('2')
  expect(await echoes(connection, '')).toBeLessThan(DELAY_MS)
  await until(() => connection.unread === 'fast12')
  expect(await echoes(connection, '3')).toBeGreaterThanOrEqual(2 * DELAY_MS - 2)
  connection.send('4')
  proxy.pass()
  connection.send('5')
  await until(() => connection.unread === 'fast12345', { message: 'what was on its way, in order' })
  expect(await echoes(connection, '6')).toBeLessThan(DELAY_MS)
})

it('black-holes open connections and new ones, which pass lets speak again', async () => {
  const connection = await client()
  await echoes(connection, 'before')
  proxy.blackhole()
  const late = await client()
  connection.send('lost')
  late.send('lost')
  await sleep(QUIET_MS)
  expect([connection.unread, late.unread]).toEqual(['before', ''])
  proxy.pass()
  await echoes(connection, 'after')
  await echoes(late, 'after')
})

it('resets on pass what ended in the black hole', async () => {
  const connection = await client()
  await echoes(connection, 'before')
  proxy.blackhole()
  for (const socket of accepted) socket.destroy()
  await sleep(QUIET_MS)
  expect(proxy.open).toBe(1)
  proxy.pass()
  expect(await connection.closed()).toBe('reset')
})

it('stalls new connections after so many bytes of the answer, open ones never', async () => {
  const open = await client()
  await echoes(open, 'x')
  proxy.stallAfter(4)
  const connection = await client()
  connection.send('123456')
  connection.send('7')
  await until(() => connection.unread === '1234')
  await echoes(open, 'more than four')
  proxy.pass()
  connection.send('8')
  await sleep(QUIET_MS)
  expect(connection.unread).toBe('1234')
  await echoes(await client(), '123456')
})

it('lifts a limit that was not reached when it passes again', async () => {
  proxy.stallAfter(4)
  const connection = await client()
  await echoes(connection, '123')
  proxy.pass()
  await echoes(connection, '456')
})

it('cuts new connections after so many bytes of the answer', async () => {
  proxy.cutAfter(4)
  const connection = await client()
  connection.send('123456')
  expect(await connection.closed()).toBe('reset')
  expect(connection.unread).toBe('1234')
  await until(() => proxy.open === 0)
})

it('cuts at the first byte of the answer when none may pass', async () => {
  proxy.cutAfter(0)
  const connection = await client()
  connection.send('1')
  expect(await connection.closed()).toBe('reset')
  expect(connection.unread).toBe('')
})

it('resets open connections and new ones, until it passes again', async () => {
  const connection = await client()
  await echoes(connection, 'x')
  proxy.reset()
  expect(await connection.closed()).toBe('reset')
  // The reset may come before the client has seen its connection made.
  const late = client().then((made) => made.closed())
  expect(await late.catch((error) => error.code)).toMatch(/^reset$|^ECONNRESET$/)
  proxy.pass()
  await echoes(await client(), 'x')
})

it('refuses connections and resets open ones, until it accepts again on the same port', async () => {
  const { port } = proxy
  const connection = await client()
  await echoes(connection, 'x')
  await proxy.refuse()
  expect(await connection.closed()).toBe('reset')
  await expect(client()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.accept()
  expect(proxy.port).toBe(port)
  await echoes(await client(), 'x')
})

it('resets a client whose server refuses or resets', async () => {
  const connection = await client()
  await echoes(connection, 'x')
  for (const socket of accepted) socket.resetAndDestroy()
  expect(await connection.closed()).toBe('reset')

  const nowhere = await faultProxy(await freePort())
  const lost = rawConnection({ port: nowhere.port }).then((made) => made.closed())
  expect(await lost.catch((error) => error.code)).toMatch(/^reset$|^ECONNRESET$/)
  await nowhere.close()
})

it('closes twice without harm', async () => {
  await proxy.close()
  await proxy.close()
  await expect(client()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
