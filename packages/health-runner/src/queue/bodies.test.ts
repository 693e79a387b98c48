import { connect } from 'node:net'
import { rawConnection, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { type QueueUnderTest, queueUnderTest } from '../testing/queue-under-test.ts'

const LIMIT = 1_000
let under: QueueUnderTest
afterEach(() => under.close())

const start = async (options: Parameters<typeof queueUnderTest>[1] = {}) => {
  under = await queueUnderTest((_, response) => void response.end(), {
    isStarted: false,
    ...options,
    settings: { maxBodyBytes: LIMIT, ...options.settings },
  })
}
const open = (...lines: string[]) =>
  rawConnection({ port: under.port }).then((connection) => {
    connection.send(['POST /queue/x HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n'))
    return connection
  })
const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`

describe('the body of a request', () => {
  it('may be as long as the limit, with and without a length', async () => {
    await start()
    expect((await under.ask('POST', '/queue/x', { body: 'x'.repeat(LIMIT) })).status).toBe(202)
    const connection = await open('Transfer-Encoding: chunked')
    connection.send(`${chunk(LIMIT / 2)}${chunk(LIMIT / 2)}0\r\n\r\n`)
    expect((await connection.read()).status).toBe(202)
    connection.close()
  })

  it('is refused before it is sent where its length tells', async () => {
    await start()
    const connection = await open(`Content-Length: ${LIMIT + 1}`)
    const answer = await connection.read()
    expect([answer.status, answer.header('connection')]).toEqual([413, 'close'])
    expect(JSON.parse(answer.body)).toEqual({
      detail: 'a body has at most 1000 bytes',
      error_type: 'bad_request',
    })
    connection.close()
  })

  it('is refused at the first byte too many where it has no length', async () => {
    await start()
    const connection = await open('Transfer-Encoding: chunked')
    connection.send(chunk(LIMIT))
    connection.send(chunk(1))
    expect((await connection.read()).status).toBe(413)
    connection.close()
  })

  it('shows why it was refused also to a caller that reads nothing before it has sent all', async () => {
    await start()
    const length = 20_000_000
    const socket = connect(under.port, '127.0.0.1')
    socket.write(`POST /queue/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
    await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.write(Buffer.alloc(length), resolve)
    })
    let answer = ''
    for await (const piece of socket) answer += String(piece)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('at most 1000 bytes')
  })

  it('is not read for ever: the connection of a refused one ends', async () => {
    await start()
    const connection = await open(`Content-Length: ${LIMIT + 1}`)
    expect((await connection.read()).status).toBe(413)
    expect(await connection.closed({ timeoutMs: 10_000 })).toBe('end')
  })

  it('is asked for only where it will be taken', async () => {
    await start()
    const welcome = await open('Content-Length: 3', 'Expect: 100-continue')
    while (welcome.unread === '') await new Promise((resolve) => setTimeout(resolve, 2))
    expect(welcome.unread).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    welcome.send('abc')
    expect(await welcome.read()).toMatchObject({ status: 202 })
    welcome.close()
    for (const [lines, status] of [
      [[`Content-Length: ${LIMIT + 1}`], 413],
      [['Content-Length: 3', 'x-baldur-method: BREW'], 400],
    ] as const) {
      const refused = await open(...lines, 'Expect: 100-continue')
      const answer = await refused.read()
      expect([answer.status, answer.informational]).toEqual([status, []])
      refused.close()
    }
    under.queue.stopAccepting()
    const late = await open('Content-Length: 3', 'Expect: 100-continue')
    expect(await late.read()).toMatchObject({ status: 503, informational: [] })
    late.close()
  })

  it('has room with all others that are being read, or is answered 503', async () => {
    await start({ isStarted: true, settings: { maxKeptBytes: 2_500 } })
    const first = await open(`Content-Length: ${LIMIT}`)
    first.send('x')
    const second = await open('Transfer-Encoding: chunked')
    second.send(chunk(LIMIT))
    const answer = await until503()
    expect(answer.header('retry-after')).toBe('1')
    // whoever leaves gives its room back
    first.reset()
    second.close()
    while ((await under.ask('POST', '/queue/x', { body: 'x'.repeat(LIMIT) })).status !== 202);
  })

  it('takes no room for what was promised and has not come', async () => {
    await start({ isStarted: true, settings: { maxKeptBytes: 2_500 } })
    const promised = await Promise.all(
      Array.from({ length: 20 }, () => open(`Content-Length: ${LIMIT}`, 'Expect: 100-continue')),
    )
    const welcome = 'HTTP/1.1 100 Continue\r\n\r\n'
    // their heads have been read, whatever came of them
    await until(() => promised.every(({ unread }) => unread !== ''))
    expect(promised.map(({ unread }) => unread)).toEqual(Array.from({ length: 20 }, () => welcome))
    const added = await under.ask('POST', '/queue/x', { body: 'x'.repeat(LIMIT) })
    expect(added.status).toBe(202)
    await under.result((JSON.parse(added.body) as { request_id: string }).request_id)
    const [kept] = promised
    kept?.send('x'.repeat(LIMIT))
    expect((await kept?.read())?.status).toBe(202)
    for (const connection of promised) connection.close()
  })

  it('comes within five minutes in all, however its pieces come', async () => {
    const clock = manualClock()
    await start({ clock })
    const connection = await open('Content-Length: 100')
    let isAnswered = false
    const answered = connection.read().then((answer) => {
      isAnswered = true
      return answer
    })
    let minutes = 0
    while (!isAnswered) {
      connection.send('x')
      await new Promise((resolve) => setTimeout(resolve, 20))
      await clock.advance(30_000)
      minutes += 0.5
    }
    expect((await answered).status).toBe(408)
    // far beyond the minute between two pieces; the answer takes its own time
    expect(minutes).toBeGreaterThanOrEqual(5)
    expect(minutes).toBeLessThan(8)
    connection.close()
  })

  it('gives its room back once it is in the store', async () => {
    await start({ isStarted: true, settings: { maxKeptBytes: 2_500 } })
    for (let count = 0; count < 5; count += 1) {
      const { status } = await under.result(await under.add(`/${count}`, {}, 'x'.repeat(LIMIT)))
      expect(status).toBe(200)
    }
    expect(under.seen).toHaveLength(5)
  })

  it('counts for nothing when its caller leaves before its end', async () => {
    await start()
    const connection = await open('Content-Length: 10')
    connection.send('abc')
    connection.reset()
    await under.add('/after')
    expect(await under.queue.counts()).toMatchObject({ waiting: 1 })
    expect(under.lines).toEqual([])
  })

  it('is waited for a minute between two pieces', async () => {
    const clock = manualClock()
    await start({ clock })
    const connection = await open('Content-Length: 10')
    while (clock.pending === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    await clock.advance(59_000)
    connection.send('abc')
    await under.ask('GET', '/queue/requests/x')
    await clock.advance(59_000)
    expect(connection.unread).toBe('')
    await clock.advance(1_000)
    expect((await connection.read()).status).toBe(408)
    connection.close()
  })
})

/** Two bodies are being read: sooner or later there is no room for a third. */
async function until503() {
  for (;;) {
    const answer = await under.ask('POST', '/queue/x', { body: 'x'.repeat(LIMIT) })
    if (answer.status === 503) return answer
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
