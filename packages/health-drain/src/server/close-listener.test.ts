import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { refClock } from '../clock.ts'
import { closeListener } from './close-listener.ts'

const listening = async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

const within = (ms: number) => {
  const at = refClock.now() + ms
  return { clock: refClock, at: () => at }
}

describe('the listener', () => {
  it('stays open while turns accept connections, and closes soon after the last of them', async () => {
    const server = await listening()
    let accepted = 0
    let turns = 0
    const count = (): void => {
      turns += 1
      if (turns < 200) accepted += 1
      if (turns < 250) setImmediate(count)
    }
    count()
    await closeListener(server, () => accepted, within(5_000))
    expect(server.listening).toBe(false)
    expect(turns).toBeGreaterThanOrEqual(200)
  })

  it('closes when its time is over, however many keep coming', async () => {
    const server = await listening()
    let accepted = 0
    const began = performance.now()
    await closeListener(server, () => accepted++, within(200))
    expect(server.listening).toBe(false)
    expect(performance.now() - began).toBeGreaterThanOrEqual(200)
  })

  it('closes sooner when its time is cut', async () => {
    const server = await listening()
    let accepted = 0
    let at = refClock.now() + 60_000
    setTimeout(() => {
      at = 0
    }, 50)
    await closeListener(server, () => accepted++, { clock: refClock, at: () => at })
    expect(server.listening).toBe(false)
  })

  it('takes a turn that is long for quiet in the second half of its time only', async () => {
    const server = await listening()
    const busy = (): void => {
      const end = performance.now() + 2
      while (performance.now() < end);
      if (server.listening) setImmediate(busy)
    }
    busy()
    const began = performance.now()
    await closeListener(server, () => 0, within(600))
    const tookMs = performance.now() - began
    expect(tookMs).toBeGreaterThanOrEqual(300)
    expect(tookMs).toBeLessThan(600)
  })

  it('alone is closed: idle connections stay open and are served', async () => {
    const server = await listening()
    const { port } = server.address() as AddressInfo
    const client = connect(port, '127.0.0.1').setEncoding('utf8')
    const ask = async (): Promise<string> => {
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      return String((await once(client, 'data'))[0])
    }
    expect(await ask()).toContain('hello')
    await closeListener(server, () => 1, within(1_000))
    expect(await ask()).toContain('hello')
    client.destroy()
    await once(server, 'close')
  })
})
