import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { until } from 'health-testkit'
import { expect, test } from 'vitest'
import { type EventStream, openEventStream } from './event-stream.ts'

test('a reader that takes nothing is kept little for, and goes on with the newest when it is back', async () => {
  let stream: EventStream | undefined
  let response: ServerResponse | undefined
  const server = createServer((_request, given) => {
    response = given
    stream = openEventStream(given, { retryMs: 1_000, bufferedBytes: 65_536 })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => stream)
  let most = 0
  const payload = 'x'.repeat(20_000)
  // far more than the buffers of the system take
  for (let i = 0; i < 2_000; i++) {
    stream?.send('state', `${i} ${payload}`)
    most = Math.max(most, response?.writableLength ?? 0)
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(most).toBeLessThan(65_536 + 2 * payload.length)
  expect(most).toBeGreaterThan(65_536)
  const pieces: Buffer[] = []
  socket.on('data', (chunk: Buffer) => pieces.push(chunk))
  await until(() => response?.writableLength === 0)
  stream?.send('state', 'newest')
  await until(() => Buffer.concat(pieces).includes('data: newest\n'))
  const text = Buffer.concat(pieces).toString()
  const numbers = [...text.matchAll(/data: (\d+) x/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(numbers.length).toBeLessThan(2_000)
  socket.destroy()
  // what is sent to one that has gone is sent to nobody
  await once(response ?? server, 'close')
  stream?.send('state', 'late')
  stream?.end({ event: 'draining', data: '{}' })
  server.close()
})
