import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { rawConnection, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { gatewayInFrontOf, httpRunner, tidy, type UnderTestOptions } from '../testing/gateway-under-test.ts'
import { standsStill } from '../testing/stands-still.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

const held = async (options: UnderTestOptions = {}) => {
  const clock = manualClock()
  const responses: ServerResponse[] = []
  const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
  const under = await gatewayInFrontOf(tidied, [port], { clock, requestTimeoutMs: 1_000, ...options })
  const client = await rawConnection({ port: under.port })
  const isOpen = (): boolean => responses[0]?.destroyed === false
  return { clock, responses, under, client, isOpen }
}

/** Long enough for what has happened on one socket to be known everywhere. */
const aTurn = async (clock: { advance(ms: number): Promise<void> }): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await clock.advance(0)
}

describe.each(['close', 'reset'] as const)('a client that leaves (%s)', (how) => {
  it('while it waits in line frees its place and reaches no runner', async () => {
    const { responses, under, client } = await held({ most: 1 })
    client.send(GET)
    await until(() => responses.length === 1)
    const second = await rawConnection({ port: under.port })
    second.send(GET)
    await until(() => under.gateway.waiting === 1)
    second[how]()
    await until(() => under.gateway.waiting === 0)
    responses[0]?.end('fine')
    expect((await client.read()).body).toBe('fine')
    expect(under.fleet.given).toHaveLength(1)
    client.close()
  })

  it('while it sends its body: the runner is let go, and nothing is said of it', async () => {
    const { responses, under, client, isOpen } = await held()
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc')
    await until(() => responses.length === 1)
    client[how]()
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.signs).toEqual([{ kind: 'inconclusive' }])
    await until(() => !isOpen())
  })

  it('before the head does not stop the runner’s clock, and its answer is judged', async () => {
    const { clock, responses, under, client, isOpen } = await held()
    client.send(GET)
    await until(() => responses.length === 1)
    client[how]()
    await aTurn(clock)
    await clock.advance(999)
    expect(under.fleet.signs).toEqual([undefined])
    expect(isOpen()).toBe(true)
    responses[0]?.writeHead(503).write('ill')
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.given).toMatchObject([{ heads: [503], signs: [{ kind: 'answered', status: 503 }] }])
    await until(() => !isOpen())
  })

  it('before a head that never comes: the runner has timed out', async () => {
    const { clock, responses, under, client, isOpen } = await held()
    client.send(GET)
    await until(() => responses.length === 1)
    client[how]()
    await aTurn(clock)
    await clock.advance(1_000)
    expect(under.fleet.signs).toEqual([{ kind: 'timed_out' }])
    await until(() => !isOpen())
  })

  it('after the head: one more piece shows that the runner lives, and it is let go', async () => {
    const { clock, responses, under, client, isOpen } = await held()
    client.send(GET)
    await until(() => responses.length === 1)
    responses[0]?.write('one')
    await until(() => client.unread.includes('one'))
    client[how]()
    await aTurn(clock)
    expect(under.fleet.signs).toEqual([undefined])
    responses[0]?.write('two')
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    await until(() => !isOpen())
  })

  it('after the head, and no piece comes: the runner has timed out', async () => {
    const { clock, responses, under, client } = await held()
    client.send(GET)
    await until(() => responses.length === 1)
    responses[0]?.write('one')
    await until(() => client.unread.includes('one'))
    client[how]()
    await aTurn(clock)
    await clock.advance(1_000)
    expect(under.fleet.signs).toEqual([{ kind: 'timed_out' }])
  })

  it('and the runner breaks after that: it is told', async () => {
    const { clock, responses, under, client } = await held()
    client.send(GET)
    await until(() => responses.length === 1)
    client[how]()
    await aTurn(clock)
    responses[0]?.socket?.resetAndDestroy()
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.signs).toEqual([{ kind: 'broken', type: 'runner_disconnected' }])
    expect(under.errors).toEqual([])
  })
})

describe('the log at debug level', () => {
  const listened = async (options: UnderTestOptions = {}) => {
    const lines: string[] = []
    const ignore = (): void => undefined
    const logger = {
      debug: (line: string) => void lines.push(line),
      info: ignore,
      warn: ignore,
      error: ignore,
    }
    return { ...(await held({ ...options, logger })), lines }
  }
  const LEFT = /^gateway: [\da-f]{32} client_disconnected: \S/
  const OFFER = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n'

  it.each<[string, string, boolean]>([
    ['before it has an answer', GET, false],
    ['in the middle of it', GET, true],
    ['while it sends its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', false],
  ])(
    'names a client that leaves %s, once, with the id that its runner was told',
    async (_, text, hasHead) => {
      const { responses, client, lines } = await listened()
      client.send(text)
      await until(() => responses.length === 1)
      if (hasHead) {
        responses[0]?.write('one')
        await until(() => client.unread.includes('one'))
      }
      client.reset()
      await until(() => lines.length > 0)
      responses[0]?.destroy()
      expect(lines).toEqual([expect.stringMatching(LEFT)])
      expect(lines[0]).toContain(String(responses[0]?.req.headers['x-baldur-request-id']))
    },
  )

  it('names one that leaves the line, and one that offers an upgrade', async () => {
    const { responses, under, client, lines } = await listened({ most: 1 })
    client.send(GET)
    await until(() => responses.length === 1)
    for (const text of [GET, OFFER]) {
      const second = await rawConnection({ port: under.port })
      second.send(text)
      await until(() => under.gateway.waiting === 1)
      second.reset()
      await until(() => under.gateway.waiting === 0)
    }
    await until(() => lines.length === 2)
    for (const line of lines) expect(line).toMatch(LEFT)
  })

  it('does not say so of a connection that the gateway breaks itself, or of one that got its answer', async () => {
    const { clock, responses, client, lines } = await listened()
    client.send(`${GET}${GET}`)
    await until(() => responses.length === 1)
    responses[0]?.end('fine')
    expect((await client.read()).body).toBe('fine')
    await until(() => responses.length === 2)
    responses[1]?.write('half')
    await until(() => client.unread.includes('half'))
    await clock.advance(1_000)
    expect(await client.closed()).toBe('reset')
    expect(lines).toEqual([expect.stringContaining('request_timeout')])
  })

  it('nor of one whose body did not come in time', async () => {
    const { clock, responses, client, lines } = await listened({ clientIdleMs: 60_000 })
    client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc')
    await until(() => responses.length === 1)
    await clock.advance(60_000)
    expect((await client.read()).status).toBe(408)
    client.reset()
    await aTurn(clock)
    expect(lines).toEqual([])
  })
})

describe('a client that takes nothing', () => {
  it('and leaves: what the runner has sent meanwhile shows that it lives', async () => {
    const { responses, under } = await held()
    const sockets: Socket[] = []
    under.gateway.server.on('connection', (socket) => sockets.push(socket))
    const client = connect(under.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write(GET)
    const [response] = await until(() => responses.length === 1 && responses)
    for (let piece = 0; piece < 32; piece++) response?.write(Buffer.alloc(1_048_576))
    await standsStill(() => sockets[0]?.bytesWritten ?? 0)
    expect(sockets[0]?.writableNeedDrain).toBe(true)
    expect(under.fleet.signs).toEqual([undefined])
    client.resetAndDestroy()
    // the clock stands still: no time of the runner passes
    await until(() => under.fleet.signs[0] !== undefined)
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
    await until(() => response?.destroyed)
  })
})
