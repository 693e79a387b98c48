import { afterEach, describe, expect, test } from 'vitest'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'
import type { Check } from './vocabulary/check.ts'

const unhandled: unknown[] = []
const remember = (reason: unknown): void => {
  unhandled.push(reason)
}
process.on('unhandledRejection', remember)
afterEach(() => {
  expect(unhandled).toEqual([])
})

describe('a run that reaches its timeout', () => {
  test('has its signal aborted, and no second one starts before it settles', async () => {
    const database = scriptedCheck('x', { timeoutMs: 1_000 })
    database.behave('hang')
    const { ask, clock, lines } = healthUnderTest({ databases: { default: database } })
    ask('/ready')
    await clock.advance(999)
    expect(database.signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(database.signal?.aborted).toBe(true)
    for (let poll = 0; poll < 100; poll++) {
      for (const path of ['/ready', '/pool', '', '?nocache=true']) ask(path)
      await clock.advance(600)
    }
    expect(database.runs).toBe(1)
    expect(lines.filter((line) => line.includes('stuck'))).toHaveLength(1)
    expect(lines.find((line) => line.includes('stuck'))).toMatch(
      /warn: check database_default is stuck: .* \d+ ms/,
    )
  })

  test('one that lets go within a second of its abort is not called stuck', async () => {
    const { ask, clock, lines } = healthUnderTest({
      databases: {
        default: {
          name: 'x',
          run: (signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => clock.after(900, () => reject(signal.reason)))
            }),
        },
      },
      readiness: { cacheTtlMs: 0 },
    })
    for (let poll = 0; poll < 60; poll++) {
      ask('/ready')
      await clock.advance(100)
    }
    expect(lines.filter((line) => line.includes('stuck'))).toEqual([])
  })

  test('rounds read timed_out at once while it has not settled', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { get, clock } = healthUnderTest({ databases: { default: database } })
    await get('/ready', 500)
    await clock.advance(60_000)
    expect(await get('/ready', 0)).toMatchObject({
      status: 503,
      body: { checks: { database_default: 'timed_out' } },
    })
    expect((await get('/pool', 0)).body.error).toBe('TIMEOUT: no answer in 2000 ms')
    expect((await get('', 0)).body).toMatchObject({ status: 'unhealthy', checks: { database: 'timed_out' } })
  })

  test('settling late frees the slot: a success is thrown away, a rejection is nobody’s problem', async () => {
    const database = scriptedCheck('x')
    database.behave('hang')
    const { get, clock, lines } = healthUnderTest({ databases: { default: database } })
    await get('/ready', 500)
    await clock.advance(2_000)
    database.succeed()
    await clock.advance(0)
    expect((await get('/ready')).status).toBe(503)
    await clock.advance(5_000)
    await get('/ready', 500)
    await clock.advance(2_000)
    database.fail(new Error('late'))
    await clock.advance(0)
    expect(database.runs).toBe(2)
    expect(lines.filter((line) => line.includes('too late'))).toHaveLength(2)
    expect(lines.filter((line) => /late/.test(line) && !line.startsWith('debug'))).toEqual([])
    database.behave(() => true)
    await clock.advance(5_000)
    expect((await get('/ready')).status).toBe(200)
  })

  test.each([
    [
      'throws',
      (signal: AbortSignal) =>
        signal.addEventListener('abort', () => {
          throw new Error('postgres://joe:hunter2@db')
        }),
    ],
    [
      'rejects',
      (signal: AbortSignal) =>
        signal.addEventListener('abort', async () => {
          throw new Error('postgres://joe:hunter2@db')
        }),
    ],
    [
      'throws from onabort',
      (signal: AbortSignal) => {
        signal.onabort = () => {
          throw new Error('postgres://joe:hunter2@db')
        }
      },
    ],
    [
      'is an object that throws',
      (signal: AbortSignal) =>
        signal.addEventListener('abort', {
          handleEvent: () => {
            throw new Error('postgres://joe:hunter2@db')
          },
        }),
    ],
  ])(
    'a listener of its signal that %s breaks nothing, and is told of with secrets masked',
    async (_how, listen) => {
      const caught: unknown[] = []
      const note = (error: unknown): unknown => caught.push(error)
      process.on('uncaughtException', note)
      const run = (signal: AbortSignal): Promise<never> => {
        listen(signal)
        return new Promise(() => undefined)
      }
      const { get, clock, lines } = healthUnderTest({ databases: { default: { name: 'x', run } } })
      await get('/ready', 500)
      await clock.advance(2_000)
      await clock.advance(0)
      process.off('uncaughtException', note)
      expect(caught).toEqual([])
      expect(lines.filter((line) => line.includes('listener of its signal'))).toHaveLength(1)
      expect(lines.join()).not.toContain('hunter2')
    },
  )

  test('a listener that was taken away again is not called', async () => {
    const called: string[] = []
    const kept = (): unknown => called.push('kept')
    const gone = (): unknown => called.push('gone')
    const run = (signal: AbortSignal): Promise<never> => {
      signal.addEventListener('abort', gone)
      signal.addEventListener('abort', kept, { once: true })
      signal.addEventListener('abort', kept, { once: true })
      signal.removeEventListener('abort', gone)
      // what Node ignores
      signal.addEventListener('abort', null as never)
      signal.removeEventListener('abort', undefined as never)
      signal.onabort = gone
      signal.onabort = null
      return new Promise((_resolve, reject) =>
        AbortSignal.any([signal]).addEventListener('abort', () => reject(signal.reason)),
      )
    }
    const { get, clock } = healthUnderTest({ databases: { default: { name: 'x', run } } })
    await get('/ready', 500)
    await clock.advance(2_000)
    expect(called).toEqual(['kept'])
  })

  test('a connect step has a bound of its own, and a connection slower than one run still gets made', async () => {
    let resolve: () => void = () => undefined
    const check: Check = {
      name: 'x',
      connect: () => new Promise((ok) => (resolve = ok)),
      run: () => true,
    }
    const { get, clock } = healthUnderTest({ databases: { default: check } })
    expect((await get('/ready', 500)).status).toBe(503)
    await clock.advance(3_500)
    resolve()
    await clock.advance(0)
    expect((await get('/ready')).status).toBe(200)
  })

  test('a connect step that hangs is aborted after 5 s and is not followed by a run', async () => {
    let runs = 0
    let resolve: () => void = () => undefined
    let signal: AbortSignal | undefined
    const check: Check = {
      name: 'x',
      connect: (given) => {
        signal = given
        return new Promise((ok) => (resolve = ok))
      },
      run: () => {
        runs += 1
      },
    }
    const { ask, get, clock } = healthUnderTest({ databases: { default: check } })
    ask('/pool')
    await clock.advance(4_999)
    expect(signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(signal?.aborted).toBe(true)
    resolve()
    await clock.advance(0)
    expect(runs).toBe(0)
    expect((await get('/pool', 2_500)).body.error).toMatch(/TIMEOUT/)
  })
})

describe('whatever a check does becomes a result', () => {
  const misbehaviours: readonly [
    how: string,
    run: () => unknown,
    word: string,
    poolStatus: string,
    code: string,
  ][] = [
    [
      'throws synchronously',
      () => {
        throw new Error('now')
      },
      'not_ready',
      'error',
      'ERROR: check failed',
    ],
    ['rejects', () => Promise.reject(new Error('later')), 'not_ready', 'error', 'ERROR: check failed'],
    ['rejects with undefined', () => Promise.reject(undefined), 'not_ready', 'error', 'ERROR: check failed'],
    ['rejects with a string', () => Promise.reject('plain'), 'not_ready', 'error', 'ERROR: check failed'],
    [
      'throws null',
      () => {
        throw null
      },
      'not_ready',
      'error',
      'ERROR: check failed',
    ],
    [
      'rejects with a hostile error',
      () =>
        Promise.reject(
          new Proxy(
            {},
            {
              get: () => {
                throw new Error('trap')
              },
            },
          ),
        ),
      'not_ready',
      'error',
      'ERROR: check failed',
    ],
    ['hangs', () => new Promise(() => undefined), 'timed_out', 'degraded', 'TIMEOUT: no answer in 2000 ms'],
    [
      'returns null',
      () => null,
      'not_ready',
      'error',
      'INVALID_RESULT: check returned something that is not a result',
    ],
    [
      'returns a word',
      () => 'ok',
      'not_ready',
      'error',
      'INVALID_RESULT: check returned something that is not a result',
    ],
    [
      'returns a status of its own',
      () => ({ status: 'down' }),
      'not_ready',
      'error',
      'INVALID_RESULT: check returned something that is not a result',
    ],
    [
      'returns a thenable that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: a hostile thenable is what is tested
        get then() {
          throw new Error('trap')
        },
      }),
      'not_ready',
      'error',
      'ERROR: check failed',
    ],
    ['returns false', () => false, 'not_ready', 'degraded', 'NOT_USABLE: not usable'],
    [
      'returns { usable: false }',
      () => ({ usable: false }),
      'not_ready',
      'degraded',
      'NOT_USABLE: not usable',
    ],
    [
      'returns a code',
      () => ({ usable: false, code: 'READ_ONLY' }),
      'not_ready',
      'degraded',
      'READ_ONLY: server is read-only',
    ],
  ]

  test.each(misbehaviours)('a check that %s', async (_how, run, word, poolStatus, error) => {
    const { get } = healthUnderTest({ databases: { default: { name: 'x', run: run as Check['run'] } } })
    expect(await get('/ready', 500)).toMatchObject({
      status: 503,
      body: { status: 'not_ready', checks: { database_default: word } },
    })
    expect(await get('/pool', 2_500)).toMatchObject({ status: 503, body: { status: poolStatus, error } })
    expect((await get('', 2_500)).status).toBe(503)
    expect((await get('/live')).status).toBe(200)
  })

  test('all of them are listed together, and a good one among them stays good', async () => {
    const checks = misbehaviours.map(
      ([, run], index): Check => ({ name: `c${index}`, run: run as Check['run'] }),
    )
    const { get } = healthUnderTest({ checks: [...checks, { name: 'good', run: () => undefined }] })
    const { status, body } = await get('/ready', 500)
    expect(status).toBe(503)
    const words = misbehaviours.map(([, , word], index) => [`c${index}`, word])
    expect(body.checks).toEqual({ ...Object.fromEntries(words), good: 'ready' })
  })

  test.each([
    ['nothing', undefined],
    ['true', true],
    ['{ usable: true }', { usable: true }],
  ])('a check that returns %s is usable', async (_name, result) => {
    const { get } = healthUnderTest({ databases: { default: { name: 'x', run: () => result } } })
    expect((await get('/ready')).status).toBe(200)
  })
})

test('10 000 liveness and ping probes call no check, whatever state it is in', async () => {
  const database = scriptedCheck('x')
  database.behave('hang')
  const { ask } = healthUnderTest({ databases: { default: database } })
  for (let i = 0; i < 5_000; i++) {
    expect(ask('/live').settled?.body).toEqual({ status: 'alive' })
    expect(ask('/ping').settled?.body).toEqual({ ping: 'pong', status: 'alive' })
  }
  expect(database.runs).toBe(0)
})

test('without a probe no check runs and no timer waits', async () => {
  const database = scriptedCheck('x')
  const { clock } = healthUnderTest({ databases: { default: database } })
  await clock.advance(3_600_000)
  expect(database.runs).toBe(0)
  expect(clock.pending).toBe(0)
})

test('a check runs with its own this', async () => {
  class Counter implements Check {
    readonly name = 'counter'
    #count = 0
    run(): boolean {
      this.#count += 1
      return this.#count > 0
    }
  }
  const { get } = healthUnderTest({ checks: [new Counter()] })
  expect((await get('/ready')).status).toBe(200)
})

test('a check that goes on failing in the same way is logged once, with its message masked, and its return too', async () => {
  const database = scriptedCheck('x')
  database.behave(() => Promise.reject(new Error('cannot reach postgres://joe:hunter2@db.internal/orders')))
  const { get, clock, lines } = healthUnderTest({ databases: { default: database } })
  for (let i = 0; i < 10; i++) {
    await get('/ready')
    await clock.advance(5_000)
  }
  database.behave(() => true)
  await get('/ready')
  expect(lines).toEqual([
    'warn: check database_default is not usable: ERROR: check failed (cannot reach postgres://***@db.internal/orders)',
    'warn: verdict: healthy -> unhealthy (database)',
    'warn: check database_default is usable again',
    'warn: verdict: unhealthy -> healthy after 50 s (database)',
  ])
})
