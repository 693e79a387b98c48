import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../machinery/clock.ts'
import { manualClock } from '../machinery/manual-clock.ts'
import type { SharedStore } from '../vocabulary/store.ts'
import { storeOfUrl } from './own-redis-client.ts'

let server: Server
let sockets: Socket[]
let commands: string[]
/** What the server says to a command. */
let answer: string | undefined

beforeEach(async () => {
  sockets = []
  commands = []
  answer = undefined
  server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      commands.push(String(data))
      if (answer !== undefined) socket.write(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
})

const open = (clock = systemClock, user = ''): SharedStore => {
  const { port } = server.address() as AddressInfo
  const store = storeOfUrl(`redis://${user}127.0.0.1:${port}`, clock)
  if (store === undefined) throw new Error('ioredis is not installed')
  return store
}

test('nothing is opened before the first question, and one connection serves all', async () => {
  const store = open()
  expect(sockets).toHaveLength(0)
  answer = '*2\r\n:1200\r\n$2\r\nhi\r\n'
  for (let i = 0; i < 5; i++) expect(await store.read('k')).toEqual({ remainingMs: 1_200, text: 'hi' })
  answer = '$-1\r\n'
  expect(await store.read('k')).toBeUndefined()
  answer = ':0\r\n'
  expect(await store.claim('k', { token: 't', forMs: 5 })).toBe(false)
  answer = ':1\r\n'
  expect(await store.claim('k', { token: 't', forMs: 5 })).toBe(true)
  expect(sockets).toHaveLength(1)
  expect(commands).toHaveLength(8)
  await store.close?.()
})

test('a lost connection is made anew by the next question, and by nothing else', async () => {
  const store = open()
  answer = '$-1\r\n'
  await store.read('k')
  const [first] = sockets
  if (first === undefined) throw new Error('no connection')
  first.resetAndDestroy()
  await once(first, 'close')
  await expect(
    (async () => {
      // whether the loss has been noticed yet is a race: one question may meet it
      await store.read('k').catch(() => undefined)
      return store.read('k')
    })(),
  ).resolves.toBeUndefined()
  expect(sockets).toHaveLength(2)
  await store.close?.()
})

test('a connection on which a question was not answered for 30 s is dropped, and the question ends', async () => {
  const clock = manualClock()
  const store = open(clock)
  const question = store.read('k').then(
    () => 'answered',
    () => 'dropped',
  )
  while (commands.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(29_999)
  expect(sockets[0]?.destroyed).toBe(false)
  await clock.advance(1)
  expect(await question).toBe('dropped')
  answer = '$-1\r\n'
  expect(await store.read('k')).toBeUndefined()
  expect(sockets).toHaveLength(2)
  await clock.advance(0)
  expect(clock.pending).toBe(0)
  await store.close?.()
})

test('closing ends the connection at once, also one that does not answer', async () => {
  const store = open()
  const question = store.read('k').catch((error: Error) => error.message)
  while (commands.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const [socket] = sockets
  if (socket === undefined) throw new Error('no connection')
  const closed = once(socket, 'close')
  await store.close?.()
  await closed
  expect(await question).toMatch(/closed/i)
})

test('a question that fails with its connection says what became of that', async () => {
  const store = open(systemClock, ':s3cret@')
  answer = '-WRONGPASS invalid username-password pair or user is disabled.\r\n'
  await expect(store.read('k')).rejects.toMatchObject({ code: 'WRONGPASS' })
  // the next connection is cut before it is answered
  server.once('connection', (socket: Socket) => socket.resetAndDestroy())
  await expect(store.read('k')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await store.close?.()
})

test('an answer that is a refusal is told as it is, whatever was before', async () => {
  const store = open()
  answer = '-LOADING Redis is loading the dataset in memory\r\n'
  await expect(store.read('k')).rejects.toMatchObject({ code: 'LOADING' })
  await store.close?.()
})
