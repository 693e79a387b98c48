import { afterEach, describe, expect, it } from 'vitest'
import { type QueueUnderTest, queueUnderTest, type Runner } from '../testing/queue-under-test.ts'

let under: QueueUnderTest
afterEach(() => under.close())

const ok: Runner = (_, response) => void response.end('ok')
const start = async (runner: Runner = ok, options: Parameters<typeof queueUnderTest>[1] = {}) => {
  under = await queueUnderTest(runner, options)
  return under
}
const UNKNOWN = `/queue/requests/${'0'.repeat(32)}`
const parsed = ({ body }: { body: string }): Record<string, unknown> => JSON.parse(body)
const header = (name: string, value: string): Record<string, string> => ({ [name]: value })

describe('accepting a request', () => {
  it('answers 202 with where it is asked about, as the caller reached us', async () => {
    await start()
    const answer = await under.ask('POST', '/queue/orders', {
      headers: { Host: 'api.example:8443', 'X-Forwarded-Proto': 'https' },
      body: '{}',
    })
    expect(answer.status).toBe(202)
    const { request_id: id, ...urls } = parsed(answer)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const base = `https://api.example:8443/queue/requests/${id}`
    expect(urls).toEqual({ status_url: `${base}/status`, response_url: base, cancel_url: `${base}/cancel` })
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.header('cache-control')).toBe('no-store')
    expect(answer.header('retry-after')).toBeUndefined()
  })

  it('gives each its own id', async () => {
    await start()
    const ids = await Promise.all(Array.from({ length: 20 }, () => under.add('/x')))
    expect(new Set(ids).size).toBe(20)
  })

  it('gives the runner method, path, query, headers and body as they came', async () => {
    await start()
    const body = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    const answer = await under.ask('POST', '/queue/a%2Fb?c=%00&d=/queue/', {
      headers: [
        ['X-Twice', '1'],
        ['x-twice', '2'],
        ['Content-Type', 'application/octet-stream'],
        ['Host', 'api.example'],
        ['X-Baldur-Attempt', '9'],
        ['X-Baldur-Request-Id', 'forged'],
        ['Content-Length', '256'],
      ],
      body,
    })
    const id = String(parsed(answer).request_id)
    await under.result(id)
    const [seen] = under.seen
    expect(seen).toMatchObject({ id, attempt: 1, method: 'POST', url: '/a%2Fb?c=%00&d=/queue/', body })
    expect(seen?.headers).toMatchObject({
      'x-twice': '1, 2',
      'content-type': 'application/octet-stream',
      'content-length': '256',
      host: 'api.example',
    })
  })

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'asks the runner with %s where x-baldur-method says so',
    async (method) => {
      await start()
      const id = await under.add('/x', { 'X-Baldur-Method': method })
      expect((await under.result(id)).status).toBe(200)
      expect(under.seen[0]?.method).toBe(method)
      expect(under.seen[0]?.headers).not.toHaveProperty('x-baldur-method')
    },
  )

  it('takes a body without a length, and gives the runner one', async () => {
    await start()
    const answer = await under.ask('POST', '/queue/x', {
      headers: { 'Transfer-Encoding': 'chunked' },
      body: '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    })
    await under.result(String(parsed(answer).request_id))
    expect(under.seen[0]?.body.toString()).toBe('abcde')
    expect(under.seen[0]?.headers['content-length']).toBe('5')
  })

  it('keeps no secret header, unless that is wanted', async () => {
    const secrets = { Authorization: 'Bearer a', Cookie: 'b=1', 'Proxy-Authorization': 'Basic c' }
    await start()
    await under.result(await under.add('/x', secrets))
    expect(Object.keys(under.seen[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|cookie/)]),
    )
    await under.close()
    await start(ok, { settings: { keepHeaders: new Set(['authorization']) } })
    await under.result(await under.add('/x', secrets))
    expect(under.seen[0]?.headers).toMatchObject({ authorization: 'Bearer a' })
    expect(under.seen[0]?.headers).not.toHaveProperty('cookie')
  })

  it.each([
    ['x-baldur-method', 'BREW', /GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS/],
    ['x-baldur-start-timeout', 'soon', /seconds above 0 and at most 86400/],
    ['x-baldur-no-retry', 'yes', /1 or 0/],
    ['idempotency-key', 'two words', /1 to 255 visible/],
  ])('answers 400 to a bad %s, and says what is allowed', async (name, value, allowed) => {
    await start()
    const answer = await under.ask('POST', '/queue/x', { headers: header(name, value) })
    expect(answer.status).toBe(400)
    expect(parsed(answer)).toEqual({ detail: expect.stringMatching(allowed), error_type: 'bad_request' })
    expect(answer.header('x-baldur-error-type')).toBe('bad_request')
    expect(answer.header('retry-after')).toBeUndefined()
    expect((await under.queue.counts()).waiting).toBe(0)
  })

  it('answers 503 with Retry-After when the line is full', async () => {
    await start(ok, { settings: { max: 1 }, isStarted: false })
    await under.add('/x')
    const answer = await under.ask('POST', '/queue/x')
    expect(answer.status).toBe(503)
    expect(answer.header('retry-after')).toBe('1')
    expect(parsed(answer)).toEqual({ detail: 'the queue is full', error_type: 'runner_scheduling_failure' })
  })
})

describe('an idempotency key', () => {
  const keyed = { 'Idempotency-Key': 'order-7' }
  const post = (path = '/queue/x', headers: Record<string, string> = {}, body = 'a') =>
    under.ask('POST', path, { headers: { ...keyed, ...headers }, body })

  it('gives the same request the same id, before and after its result, and runs it once', async () => {
    await start()
    const first = await post()
    const id = String(parsed(first).request_id)
    const again = await post()
    expect([again.status, again.body]).toEqual([202, first.body])
    await under.result(id)
    expect(parsed(await post()).request_id).toBe(id)
    expect(under.seen).toHaveLength(1)
    expect(under.seen[0]?.headers['idempotency-key']).toBe('order-7')
  })

  it.each([
    ['path', () => post('/queue/y')],
    ['query', () => post('/queue/x?a')],
    ['method', () => post('/queue/x', { 'x-baldur-method': 'PUT' })],
    ['body', () => post('/queue/x', {}, 'b')],
    ['Authorization', () => post('/queue/x', { Authorization: 'Bearer bob' })],
    ['Cookie', () => post('/queue/x', { Cookie: 'session=bob' })],
    ['Proxy-Authorization', () => post('/queue/x', { 'Proxy-Authorization': 'Basic bob' })],
  ])('answers 422 where the %s is another', async (_what, ask) => {
    await start(ok, { isStarted: false })
    expect((await post()).status).toBe(202)
    const other = await ask()
    expect(other.status).toBe(422)
    expect(parsed(other)).toMatchObject({ error_type: 'bad_request' })
  })

  it('gives a caller nothing of another one, and its own id again to whoever sends the same credentials', async () => {
    await start(ok, { isStarted: false })
    const alice = { Authorization: 'Bearer alice', Cookie: 'a=1' }
    const id = parsed(await post('/queue/x', alice)).request_id
    expect(parsed(await post('/queue/x', alice)).request_id).toBe(id)
    const others = [
      { Authorization: 'Bearer bob', Cookie: 'a=1' },
      { Authorization: 'Bearer alice' },
      { Cookie: 'a=1' },
      // the same texts in other places
      { Authorization: 'a=1', Cookie: 'Bearer alice' },
      {},
    ]
    for (const headers of others) {
      const answer = await post('/queue/x', headers as Record<string, string>)
      expect([answer.status, parsed(answer).request_id]).toEqual([422, undefined])
      expect(answer.body).not.toContain(id)
    }
    expect(await under.queue.counts()).toMatchObject({ waiting: 1 })
  })

  it('gives one id to many that come at once', async () => {
    await start()
    const ids = await Promise.all(Array.from({ length: 10 }, async () => parsed(await post()).request_id))
    expect(new Set(ids).size).toBe(1)
    await under.result(String(ids[0]))
    expect(under.seen).toHaveLength(1)
  })
})

describe('asking about a request', () => {
  const pending: ((body: string) => void)[] = []
  afterEach(() => {
    pending.length = 0
  })
  const hold: Runner = (_, response) => void pending.push((body) => response.end(body))
  const status = async (id: string) => {
    const answer = await under.ask('GET', `/queue/requests/${id}/status`)
    expect(answer.status).toBe(200)
    return parsed(answer)
  }
  const reached = async (count: number): Promise<void> => {
    while (under.seen.length < count) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  it('tells in line, in progress and completed', async () => {
    await start(hold)
    const [first, second, third] = [await under.add('/1'), await under.add('/2'), await under.add('/3')]
    await reached(1)
    expect(await status(first)).toEqual({ status: 'IN_PROGRESS' })
    expect(await status(second)).toEqual({ status: 'IN_QUEUE', queue_position: 0 })
    expect(await status(third)).toEqual({ status: 'IN_QUEUE', queue_position: 1 })
    const early = await under.ask('GET', `/queue/requests/${third}`)
    expect([early.status, parsed(early)]).toEqual([202, { status: 'IN_QUEUE', queue_position: 1 }])
    pending.shift()?.('done')
    expect((await under.result(first)).body).toBe('done')
    expect(await status(first)).toEqual({ status: 'COMPLETED' })
  })

  it('replays status, headers and body byte for byte, to HEAD without the body', async () => {
    const body = Buffer.from([0, 255, 13, 10, 128, 200])
    await start((_, response) => {
      const headers = ['Content-Type', 'image/x', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'ETag', '"e"']
      response.writeHead(207, [...headers, 'Date', 'Thu, 01 Jan 1970 00:00:00 GMT'])
      response.write(body.subarray(0, 2))
      response.end(body.subarray(2))
    })
    const id = await under.add('/x')
    const answer = await under.result(id)
    expect([answer.status, answer.bodyBytes]).toEqual([207, body])
    expect(answer.rawHeaders.filter(([name]) => name !== 'Connection')).toEqual([
      ['Content-Type', 'image/x'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['ETag', '"e"'],
      ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ['Content-Length', '6'],
    ])
    const head = await under.ask('HEAD', `/queue/requests/${id}`)
    expect([head.status, head.rawHeaders, head.bodyBytes.length]).toEqual([207, answer.rawHeaders, 0])
    const again = await under.ask('GET', `/queue/requests/${id}`)
    expect(again.raw).toBe(answer.raw)
  })

  it.each([204, 304])('replays a %d, which has no body', async (code) => {
    await start((_, response) => void response.writeHead(code, { 'X-Mine': '1' }).end())
    const answer = await under.result(await under.add('/x'))
    expect([answer.status, answer.header('x-mine'), answer.framing]).toEqual([code, '1', 'none'])
    expect(answer.header('content-length')).toBeUndefined()
  })

  it('replays what a HEAD brought: its headers, and no bytes that nobody has', async () => {
    await start(
      (_, response) => void response.writeHead(200, { 'Content-Length': 1234, 'X-Mine': '1' }).end(),
    )
    const answer = await under.result(await under.add('/x', { 'x-baldur-method': 'HEAD' }))
    expect([answer.status, answer.header('x-mine'), answer.header('content-length')]).toEqual([200, '1', '0'])
  })

  it('cancels what has no result: 202, and 499 is its result', async () => {
    await start(hold)
    const running = await under.add('/1')
    const waiting = await under.add('/2')
    await reached(1)
    for (const id of [running, waiting]) {
      const answer = await under.ask('PUT', `/queue/requests/${id}/cancel`)
      expect([answer.status, parsed(answer)]).toEqual([202, { status: 'CANCELLATION_REQUESTED' }])
      expect(await status(id)).toEqual({ status: 'COMPLETED' })
      const result = await under.ask('GET', `/queue/requests/${id}`)
      expect([result.status, parsed(result).error_type]).toEqual([499, 'client_cancelled'])
      expect(result.header('x-baldur-error-type')).toBe('client_cancelled')
    }
    // the runner is really busy until it has answered; what it says is dropped
    expect(under.fleet.inUse).toBe(1)
    pending.shift()?.('late')
    const next = await under.add('/3')
    await reached(2)
    pending.shift()?.('next')
    await under.result(next)
    expect((await under.ask('GET', `/queue/requests/${running}`)).status).toBe(499)
    expect(under.seen.map(({ url }) => url)).toEqual(['/1', '/3'])
  })

  it('answers 400 to cancelling what is completed', async () => {
    await start()
    const id = await under.add('/x')
    await under.result(id)
    const answer = await under.ask('PUT', `/queue/requests/${id}/cancel`)
    expect(answer.status).toBe(400)
    expect(parsed(answer)).toMatchObject({ status: 'ALREADY_COMPLETED', error_type: 'bad_request' })
    expect((await under.ask('GET', `/queue/requests/${id}`)).body).toBe('ok')
  })

  it('answers 404 to what nobody knows', async () => {
    await start()
    const asked = [
      under.ask('GET', UNKNOWN),
      under.ask('GET', `${UNKNOWN}/status`),
      under.ask('PUT', `${UNKNOWN}/cancel`),
      under.ask('GET', '/queue/requests/nonsense'),
      under.ask('GET', '/queue/requests/__proto__/status'),
    ]
    for (const answer of await Promise.all(asked)) {
      expect([answer.status, parsed(answer).error_type]).toEqual([404, 'bad_request'])
    }
    const head = await under.ask('HEAD', UNKNOWN)
    expect([head.status, head.framing]).toEqual([404, 'none'])
  })

  it.each([
    ['GET', '/queue/x', 'POST'],
    ['DELETE', '/queue/', 'POST'],
    ['POST', UNKNOWN, 'GET, HEAD'],
    ['PUT', `${UNKNOWN}/status`, 'GET, HEAD'],
    ['POST', `${UNKNOWN}/cancel`, 'PUT'],
  ])('answers 405 to %s %s, and allows %s', async (method, path, allow) => {
    await start()
    const answer = await under.ask(method, path)
    expect([answer.status, answer.header('allow')]).toEqual([405, allow])
    expect(parsed(answer)).toEqual({ detail: `this path takes ${allow}`, error_type: 'bad_request' })
  })

  it('leaves every other path to others', async () => {
    await start()
    for (const path of ['/queue', '/', '/queued/x', '/api/queue/x']) {
      expect((await under.ask('POST', path)).status).toBe(299)
    }
  })
})
