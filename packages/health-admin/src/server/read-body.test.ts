import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const server = createServer()
afterEach(() => {
  server.closeAllConnections()
  server.removeAllListeners('request')
})

/** What is read of a body that is sent in pieces, of which the last is followed by `then`. */
async function read(pieces: readonly string[], then: 'wait' | 'reset' = 'wait'): Promise<string | undefined> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const body = new Promise<string | undefined>((resolve) => {
    server.once('request', (request) => void readBody(request, 10).then(resolve))
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (const piece of pieces) socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
  if (then === 'reset') {
    await once(server, 'request')
    socket.resetAndDestroy()
  } else socket.write('0\r\n\r\n')
  return body
}

test('gives what came in pieces', async () => {
  expect(await read(['{"a"', ':1}'])).toBe('{"a":1}')
  expect(await read(['0123456789'])).toBe('0123456789')
})

test('gives nothing of what is too long', async () => {
  expect(await read(['0123456789', 'x'])).toBeUndefined()
})

test('gives nothing of what did not come whole', async () => {
  expect(await read(['{"a"'], 'reset')).toBeUndefined()
})
