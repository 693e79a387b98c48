import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { type BoundedConnections, boundConnections } from './bounded-connections.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server that answers `/` at once and holds everything else. */
async function serverOf(limit: number): Promise<{
  readonly port: number
  readonly connections: BoundedConnections
  readonly held: ServerResponse[]
}> {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/') response.end('done')
    else held.push(response)
  })
  open.push(server)
  const connections = boundConnections(server, limit)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, connections, held }
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('beyond the limit the one goes that has waited longest without a request', async () => {
  const { port, connections } = await serverOf(3)
  const [first, second, third] = [
    await rawConnection({ port }),
    await rawConnection({ port }),
    await rawConnection({ port }),
  ]
  await until(() => connections.size === 3)
  expect((await rawRequest({ port })).status).toBe(200)
  await first.closed()
  second.send(GET('/'))
  expect((await second.read()).status).toBe(200)
  third.close()
})

test('one that has just had its answer goes last', async () => {
  const { port, connections } = await serverOf(2)
  const [used, silent] = [await rawConnection({ port }), await rawConnection({ port })]
  await until(() => connections.size === 2)
  used.send(GET('/'))
  await used.read()
  await rawRequest({ port })
  await silent.closed()
  used.send(GET('/'))
  expect((await used.read()).status).toBe(200)
})

test('while all are being answered the new one goes, and none of the old', async () => {
  const { port, held } = await serverOf(2)
  const busy = [await rawConnection({ port }), await rawConnection({ port })]
  for (const connection of busy) connection.send(GET('/held'))
  await until(() => held.length === 2)
  const late = await rawConnection({ port })
  await late.closed()
  for (const response of held) response.end('late')
  for (const connection of busy) expect((await connection.read()).body).toBe('late')
})

test('never holds more than the limit', async () => {
  const { port, connections } = await serverOf(5)
  const all = await Promise.all(Array.from({ length: 60 }, () => rawConnection({ port })))
  await until(() => connections.size === 5)
  for (const connection of all) connection.close()
  await until(() => connections.size === 0)
})
