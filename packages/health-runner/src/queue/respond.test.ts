import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { until } from 'health-testkit'
import { expect, it } from 'vitest'
import { systemClock } from '../../../health-core/src/machinery/clock.ts'
import { respond } from './respond.ts'

it('lets go of a caller that takes nothing of its answer for a minute', async () => {
  const sockets: Socket[] = []
  const body = Buffer.alloc(20_000_000)
  const server = createServer((request, response) => {
    sockets.push(request.socket)
    respond(request, response, { status: 200, headers: [], body }, systemClock)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const caller = connect(port, '127.0.0.1').pause()
  caller.on('error', () => undefined)
  caller.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [socket] = await until(() => sockets.length > 0 && sockets)
  expect(socket?.timeout).toBe(60_000)
  // what Node does when nothing has moved for so long
  socket?.emit('timeout')
  expect(socket?.destroyed).toBe(true)
  caller.destroy()
  server.close()
})
