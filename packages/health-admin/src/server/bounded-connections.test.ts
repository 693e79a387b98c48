import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
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

/** More than the buffers between here and a reader that takes nothing. */
const BIG = Buffer.alloc(50_000_000)

/** A server that answers `/` at once, `/big` with much, and holds everything else. */
async function serverOf(
  limit: number,
  pipelined = 4,
): Promise<{
  readonly port: number
  readonly server: Server
  readonly connections: BoundedConnections
  readonly held: ServerResponse[]
}> {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (!connections.admit(request, response)) return
    if (request.url === '/') response.end('done')
    else if (request.url === '/big') response.end(BIG)
    else held.push(response)
  })
  open.push(server)
  const connections = boundConnections(server, { connections: limit, pipelined })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, server, connections, held }
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
  const { port, connections, server } = await serverOf(5)
  const accepted: Socket[] = []
  const sizes: number[] = []
  const unclosed: number[] = []
  server.on('connection', (socket) => {
    accepted.push(socket)
    sizes.push(connections.size)
    unclosed.push(accepted.filter(({ destroyed }) => !destroyed).length)
  })
  const all = await Promise.all(Array.from({ length: 60 }, () => rawConnection({ port })))
  await until(() => accepted.length === 60)
  const expected = Array.from({ length: 60 }, (_, index) => Math.min(index + 1, 5))
  expect(sizes).toEqual(expected)
  expect(unclosed).toEqual(expected)
  for (const connection of all) connection.close()
  await until(() => connections.size === 0)
})

test('one that has its answer and does not read it goes before one that is being answered', async () => {
  const { port, held } = await serverOf(2)
  const busy = await rawConnection({ port })
  busy.send(GET('/held'))
  await until(() => held.length === 1)
  const slow = connect(port, '127.0.0.1')
  slow.pause()
  slow.write(GET('/big'))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await rawRequest({ port })).status).toBe(200)
  held[0]?.end('late')
  expect((await busy.read()).body).toBe('late')
  slow.destroy()
})

test('a connection on which too many requests stand in line ends, and the rest of what it sent is nobody’s', async () => {
  const { port, held, connections } = await serverOf(10, 4)
  const fine = await rawConnection({ port })
  fine.send(GET('/').repeat(4))
  for (let i = 0; i < 4; i++) expect((await fine.read()).body).toBe('done')
  const greedy = await rawConnection({ port })
  greedy.send(GET('/held').repeat(1_000))
  await greedy.closed()
  expect(held).toHaveLength(4)
  expect(connections.size).toBe(1)
  fine.send(GET('/'))
  expect((await fine.read()).body).toBe('done')
})
