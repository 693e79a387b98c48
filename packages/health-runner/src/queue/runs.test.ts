import { freePort } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { BROKEN_TARGET, UNSENDABLE_TARGET } from '../testing/plain-exchange.ts'
import { type QueueUnderTest, queueUnderTest, type Runner, type Seen } from '../testing/queue-under-test.ts'
import { queuedRequest } from '../testing/queued-request.ts'

let under: QueueUnderTest
afterEach(() => under.close())

const start = async (runner: Runner, options: Parameters<typeof queueUnderTest>[1] = {}) => {
  under = await queueUnderTest(runner, options)
  return under
}
const attempts = (): number[] => under.seen.map(({ attempt }) => attempt)
/** Answers by the number of the attempt, the last one for all further. */
const inTurn =
  (...answers: readonly Runner[]): Runner =>
  (seen: Seen, response) =>
    (answers[seen.attempt - 1] ?? answers.at(-1))?.(seen, response)
const code =
  (status: number, headers: Record<string, string> = {}): Runner =>
  (seen, response) =>
    void response.writeHead(status, headers).end(`${status} at ${seen.attempt}`)
const breaks: Runner = (_, response) => void response.destroy()
const breaksInBody: Runner = (_, response) => {
  response.writeHead(200, { 'Content-Length': 10 })
  response.write('abc', () => response.destroy())
}
const hangs: Runner = () => undefined

describe('a queued request is begun again', () => {
  it.each([
    ['503', code(503)],
    ['504', code(504)],
    ['a broken connection', breaks],
    ['an answer that breaks off', breaksInBody],
    ['200 that asks for it', code(200, { 'X-Fal-Needs-Retry': '1' })],
    ['404 that asks for it', code(404, { 'X-Baldur-Needs-Retry': '1' })],
  ])('after %s', async (_what, ill) => {
    await start(inTurn(ill, ill, code(200)))
    const answer = await under.result(await under.add('/x', {}, 'body'))
    expect([answer.status, answer.body]).toEqual([200, '200 at 3'])
    expect(attempts()).toEqual([1, 2, 3])
    expect(new Set(under.seen.map(({ id }) => id)).size).toBe(1)
    expect(under.seen.map(({ body }) => body.toString())).toEqual(['body', 'body', 'body'])
  })

  it('after an answer that takes too long', async () => {
    await start(inTurn(hangs, code(200)), { settings: { requestTimeoutMs: 50 } })
    expect((await under.result(await under.add('/x'))).body).toBe('200 at 2')
    expect(under.fleet.signs[0]).toEqual({ kind: 'timed_out' })
  })

  it.each([
    ['200', code(200)],
    ['302', code(302)],
    ['404', code(404)],
    ['429', code(429)],
    ['500', code(500)],
    ['502', code(502)],
    ['503 that forbids it', code(503, { 'X-Baldur-Needs-Retry': '0' })],
    ['504 that forbids it', code(504, { 'X-Fal-Needs-Retry': '0' })],
  ])('not after %s', async (what, answered) => {
    await start(answered)
    const answer = await under.result(await under.add('/x'))
    expect([String(answer.status), answer.body]).toEqual([what.slice(0, 3), `${what.slice(0, 3)} at 1`])
    expect(attempts()).toEqual([1])
    expect(answer.header('x-baldur-needs-retry') ?? answer.header('x-fal-needs-retry')).toBeUndefined()
  })

  it('not where the caller said once', async () => {
    await start(inTurn(code(503, { 'X-Baldur-Needs-Retry': '1' }), code(200)))
    const answer = await under.result(await under.add('/x', { 'x-baldur-no-retry': '1' }))
    expect([answer.status, attempts(), under.lines]).toEqual([503, [1], []])
  })

  it('so often and no more; the last answer is recorded', async () => {
    await start(code(503), { settings: { attempts: 3 } })
    const answer = await under.result(await under.add('/x'))
    expect([answer.status, answer.body, attempts()]).toEqual([503, '503 at 3', [1, 2, 3]])
    const [{ id } = { id: '' }] = under.seen
    expect(under.lines).toEqual([
      `queue: request ${id}, attempt 1: 503; again in 10 ms`,
      `queue: request ${id}, attempt 2: 503; again in 20 ms`,
      `queue: request ${id}, attempt 3: 503; given up, these were all attempts`,
    ])
    expect(await under.queue.counts()).toEqual({
      waiting: 0,
      running: 0,
      completed: 1,
      unfetched: 0,
      retried: 1,
    })
  })

  it.each([
    ['runner_disconnected', 503, breaks],
    ['runner_incomplete_response', 503, breaksInBody],
    ['request_timeout', 504, hangs],
  ])('so often and no more; %s is recorded where the last one brought none', async (type, status, ill) => {
    await start(inTurn(code(503), ill), { settings: { attempts: 2, requestTimeoutMs: 100 } })
    const answer = await under.result(await under.add('/x'))
    expect([answer.status, answer.header('x-baldur-error-type')]).toEqual([status, type])
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), error_type: type })
    expect(answer.header('retry-after')).toBeUndefined()
    expect(attempts()).toEqual([1, 2])
  })
})

describe('an answer that is too long', () => {
  const long =
    (status: number): Runner =>
    (_, response) => {
      response.writeHead(status)
      const write = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(10_000), write)
      }
      write()
    }

  it('is recorded as 502 with the limit, however much longer it would go on', async () => {
    await start(long(200))
    const answer = await under.result(await under.add('/x'))
    expect([answer.status, answer.header('x-baldur-error-type')]).toEqual([502, 'runner_incomplete_response'])
    expect(JSON.parse(answer.body)).toMatchObject({ detail: expect.stringContaining('100000 bytes') })
    expect(attempts()).toEqual([1])
    // it was left there and then, not when its time was up
    expect(under.fleet.signs).toEqual([{ kind: 'inconclusive' }])
  })

  it('is another try where its status asks for one', async () => {
    await start(inTurn(long(503), code(200)))
    expect((await under.result(await under.add('/x'))).body).toBe('200 at 2')
  })

  it('may be as long as the limit', async () => {
    await start((_, response) => void response.end(Buffer.alloc(100_000, 'x')))
    expect((await under.result(await under.add('/x'))).bodyBytes).toHaveLength(100_000)
  })
})

describe('a runner that takes no connection', () => {
  it('had nothing, so another one gets it as the first attempt, also where the caller said once', async () => {
    await start(code(200), {
      deadPorts: [await freePort()],
      settings: { backoffMs: 60_000, maxBackoffMs: 60_000 },
    })
    const answer = await under.result(await under.add('/x', { 'x-baldur-no-retry': '1' }))
    expect([answer.status, attempts()]).toEqual([200, [1]])
    expect(under.fleet.signs[0]).toEqual({ kind: 'broken', type: 'runner_connection_refused' })
    expect(await under.queue.counts()).toMatchObject({ retried: 0 })
  })

  it('ends it after as many tries as there are attempts', async () => {
    const recorded: number[] = []
    await start(code(200), {
      runners: 0,
      deadPorts: [await freePort()],
      store: (usual) => ({
        ...usual,
        finish: (id, result) => {
          recorded.push(result.attempts)
          return usual.finish(id, result)
        },
      }),
    })
    const answer = await under.result(await under.add('/x'))
    expect(recorded).toEqual([0])
    expect([answer.status, answer.header('x-baldur-error-type')]).toEqual([503, 'runner_connection_refused'])
    expect(under.fleet.signs).toHaveLength(4)
    expect(under.seen).toHaveLength(0)
  })
})

it('records 400 at once for what no runner can be given', async () => {
  await start(code(200))
  const answer = await under.result(await under.add(UNSENDABLE_TARGET))
  expect([answer.status, answer.header('x-baldur-error-type')]).toEqual([400, 'bad_request'])
  expect(under.fleet.signs).toEqual([{ kind: 'inconclusive' }])
})

describe('the dispatcher', () => {
  it('gives each runner one at a time, in order of acceptance', async () => {
    let most = 0
    let now = 0
    await start(
      (_, response) => {
        now += 1
        most = Math.max(most, now)
        setTimeout(() => {
          now -= 1
          response.end()
        }, 5)
      },
      { runners: 2, isStarted: false },
    )
    const ids: string[] = []
    for (let count = 0; count < 12; count += 1) ids.push(await under.add(`/${count}`))
    expect(under.seen).toHaveLength(0)
    under.queue.start()
    await under.queue.idle()
    expect(most).toBe(2)
    const order = under.seen.map(({ id }) => ids.indexOf(id))
    // side by side two that are neighbours may arrive the other way round
    for (const [place, index] of order.entries()) expect(Math.abs(place - index)).toBeLessThanOrEqual(1)
  })

  it('waits without asking while no runner has room, and goes on when one has', async () => {
    await start(code(200), { isStarted: false })
    under.fleet.concurrency = 0
    under.queue.start()
    const id = await under.add('/x')
    const { asked } = under.fleet
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(under.fleet.asked).toBe(asked)
    under.fleet.concurrency = 1
    under.fleet.tell()
    expect((await under.result(id)).status).toBe(200)
  })

  it('misses no word of room that comes right behind a refusal', async () => {
    await start(code(200), { isStarted: false })
    const { fleet } = under
    const id = await under.add('/x')
    for (const turns of [0, 1, 2, 3, 4]) {
      const { take } = fleet
      fleet.take = () => {
        fleet.take = take
        const say = (left: number): void => (left > 0 ? queueMicrotask(() => say(left - 1)) : fleet.tell())
        queueMicrotask(() => say(turns))
        return undefined
      }
      if (turns === 0) under.queue.start()
      else await under.add(`/${turns}`)
      await under.queue.idle()
    }
    expect((await under.result(id)).status).toBe(200)
  })

  it('does not ask for runners while nothing is due', async () => {
    await start(code(200))
    expect(under.fleet.asked).toBe(0)
    await under.result(await under.add('/x'))
    const { asked } = under.fleet
    for (let count = 0; count < 10; count += 1) under.fleet.tell()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(under.fleet.asked).toBe(asked)
    expect(under.fleet.signs).toEqual([{ kind: 'answered', status: 200 }])
  })

  it('takes up what a store that outlives it holds from before', async () => {
    const before = queuedRequest({ headers: ['Host', 'x'] })
    await start(code(200), {
      isStarted: false,
      store: (usual) => {
        void usual.add(before)
        return { ...usual, isDurable: true }
      },
    })
    under.queue.start()
    expect((await under.result(before.id)).body).toBe('200 at 1')
  })

  it('does not lose a request, or a place on a runner, to an exchange that breaks', async () => {
    await start(code(200), { settings: { attempts: 2 } })
    const answer = await under.result(await under.add(BROKEN_TARGET))
    expect([answer.status, answer.header('x-baldur-error-type')]).toEqual([500, 'internal_error'])
    expect((await under.result(await under.add('/next'))).status).toBe(200)
    expect(under.lines.filter((line) => line.includes('broken on purpose'))).toHaveLength(2)
  })

  it('ends every request of a crowd once, runs none twice at a time, and never changes a result', async () => {
    const kinds: readonly Runner[] = [
      code(200),
      code(503),
      code(500),
      code(504),
      breaks,
      breaksInBody,
      code(200),
    ]
    let turn = 0
    await start(
      (seen, response) => {
        turn += 1
        const kind = kinds[turn % kinds.length] ?? breaks
        setTimeout(() => kind(seen, response), turn % 4)
      },
      { runners: 3, settings: { attempts: 10, backoffMs: 2, maxBackoffMs: 8 } },
    )
    const ids = await Promise.all(Array.from({ length: 200 }, (_, index) => under.add(`/${index}`)))
    const first = await Promise.all(
      ids.map(async (id, index) => {
        if (index % 10 === 0) await under.ask('PUT', `/queue/requests/${id}/cancel`)
        return (await under.result(id)).raw
      }),
    )
    await under.queue.idle()
    const counts = await under.queue.counts()
    expect(counts).toMatchObject({ waiting: 0, running: 0, completed: 200 })
    expect(counts.retried).toBeGreaterThan(50)
    expect(Math.max(...under.together.values())).toBe(1)
    const again = await Promise.all(
      ids.map(async (id) => (await under.ask('GET', `/queue/requests/${id}`)).raw),
    )
    const noDate = (raw: string): string => raw.replace(/^Date: .*$/m, '')
    expect(again.map(noDate)).toEqual(first.map(noDate))
    expect(await under.queue.unfinished()).toEqual([])
    expect(under.fleet.inUse).toBeLessThanOrEqual(30)
  })
})
