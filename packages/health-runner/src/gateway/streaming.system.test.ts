import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayInFrontOf, httpRunner, tidy } from '../testing/gateway-under-test.ts'
import { standsStill } from '../testing/stands-still.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const MIB = 1_048_576
const SIZE = 256 * MIB
const PIECE = Buffer.alloc(65_536, 'x')
/** What sockets of the kernel, four of them, and the streams between hold at most. */
const ON_THE_WAY = 48 * MIB
/** What Node lets lie before it collects it; everything in between would be twice as much. */
const UNCOLLECTED = 128 * MIB

/** Writes all of it as fast as it is taken. */
async function pour(into: Writable): Promise<void> {
  for (let sent = 0; sent < SIZE; sent += PIECE.length) if (!into.write(PIECE)) await once(into, 'drain')
}

/** Counts what comes, and looks at the memory at times. */
function drink(from: Readable): { readonly bytes: number; readonly mostMemory: number } {
  const drunk = { bytes: 0, mostMemory: 0 }
  let looks = 0
  from.on('data', (chunk: Buffer) => {
    drunk.bytes += chunk.length
    looks += 1
    if (looks % 64 === 0) drunk.mostMemory = Math.max(drunk.mostMemory, memory())
  })
  return drunk
}

const memory = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('256 MiB', () => {
  it('go down to a client that takes nothing at first without growing in between, and arrive', async () => {
    let written = 0
    const { port } = await httpRunner(tidied, async (_, response) => {
      const { write } = response
      response.write = ((chunk: Buffer) => {
        written += chunk.length
        return write.call(response, chunk, 'latin1')
      }) as typeof write
      response.writeHead(200, { 'Content-Length': String(SIZE) })
      await pour(response)
      response.end()
    })
    const under = await gatewayInFrontOf(tidied, [port], { requestTimeoutMs: 200 })
    const client = connect(under.port, '127.0.0.1')
    tidied.add(() => void client.destroy())
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await standsStill(() => written)).toBeLessThan(ON_THE_WAY)
    // longer than a runner may take: it is the client who is waited for
    expect(under.fleet.signs).toEqual([undefined])
    const before = memory()
    const drunk = drink(client)
    await until(() => drunk.bytes > SIZE && under.fleet.signs[0] !== undefined, { timeoutMs: 50_000 })
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    expect(drunk.mostMemory - before).toBeLessThan(UNCOLLECTED)
  })

  it('go up to a runner that takes nothing at first without growing in between, and arrive', async () => {
    const asked: [IncomingMessage, ServerResponse][] = []
    const { port } = await httpRunner(tidied, (...both) => asked.push(both))
    const under = await gatewayInFrontOf(tidied, [port])
    const client = connect(under.port, '127.0.0.1')
    tidied.add(() => void client.destroy())
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${SIZE}\r\n\r\n`)
    const poured = pour(client)
    expect(await standsStill(() => client.bytesWritten)).toBeLessThan(ON_THE_WAY)
    const [request, response] = asked[0] ?? []
    const before = memory()
    const drunk = drink(request as IncomingMessage)
    await poured
    await until(() => drunk.bytes === SIZE, { timeoutMs: 50_000 })
    response?.end('thanks')
    client.setEncoding('latin1')
    expect(String((await once(client, 'data'))[0])).toContain('thanks')
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    expect(drunk.mostMemory - before).toBeLessThan(UNCOLLECTED)
  })
})
