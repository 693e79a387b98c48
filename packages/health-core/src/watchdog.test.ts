import { describe, expect, it, vi } from 'vitest'
import type { Clock } from './machinery/clock.ts'
import { manualClock } from './machinery/manual-clock.ts'
import type { HealthOptions } from './options/input.ts'
import { fakeStore } from './testing/fake-store.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'
import type { Escalation, WatchdogLook, WatchdogReport, WatchdogStatus } from './vocabulary/watchdog.ts'

const MINUTE = 60_000
/** Those of ours that measure this very process. */
const NONE_OF_OURS = { event_loop: false, memory: false, cache: false, checks: false } as const

/** A health whose watchdog has the components given alone, and a database that is well. */
function watched(
  components: Record<string, WatchdogLook>,
  { watchdog = {}, ...options }: Omit<HealthOptions, 'watchdog'> & { watchdog?: object } = {},
) {
  const database = scriptedCheck('database')
  const test = healthUnderTest({
    databases: { default: database },
    watchdog: { components: { ...NONE_OF_OURS, ...components }, ...watchdog },
    ...options,
  })
  const reports: WatchdogReport[] = []
  test.health.on('watchdog', (report) => reports.push(report))
  return { ...test, database, reports }
}

interface Scripted {
  /** What it says from now on. */
  status: WatchdogStatus | 'hang'
  looks: number
  signal: AbortSignal | undefined
  /** Ends a look that hangs. */
  end(status: WatchdogStatus): void
  readonly look: WatchdogLook
}

/** A component whose status a test sets, and how often it was looked at. */
function scripted(first: Scripted['status'] = 'healthy'): Scripted {
  let settle: (status: WatchdogStatus) => void = () => undefined
  const component: Scripted = {
    status: first,
    looks: 0,
    signal: undefined,
    end: (status) => settle(status),
    look: (signal) => {
      component.looks += 1
      component.signal = signal
      if (component.status !== 'hang') return component.status
      return new Promise((resolve) => {
        settle = resolve
      })
    },
  }
  return component
}

describe('what health says of it', () => {
  it('nothing before the first look has ended, and then all three fields', async () => {
    const queue = scripted('hang')
    const { clock, get } = watched({ queue: queue.look })
    await clock.advance(1)
    const before = await get('')
    expect(before.status).toBe(200)
    expect(Object.keys(before.body)).not.toContain('watchdog_status')
    queue.end('healthy')
    await clock.advance(1_000)
    const { status, body } = await get('')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      ...['status', 'checks', 'timestamp', 'baldur_enabled'],
      ...['watchdog_status', 'watchdog_components', 'watchdog_last_check', '_cache'],
    ])
    expect(body).toMatchObject({
      status: 'healthy',
      watchdog_status: 'healthy',
      watchdog_components: { queue: 'healthy' },
      watchdog_last_check: new Date(1_800_000_000_000 + 1_001).toISOString(),
    })
  })

  it('nothing while it is off, and no timer', async () => {
    const { clock, get } = healthUnderTest({ watchdog: false, verdict: { refresh: false } })
    await clock.advance(MINUTE)
    expect(Object.keys((await get('', 2_500)).body)).toEqual([
      ...['status', 'checks', 'timestamp', 'baldur_enabled', '_cache'],
    ])
    expect(clock.pending).toBe(0)
  })

  it.each([
    ['healthy', 'healthy', 'healthy'],
    ['degraded', 'degraded', 'degraded'],
    ['unhealthy', 'unhealthy', 'degraded'],
    ['unknown', 'degraded', 'degraded'],
  ] as const)(
    'a component that is %s: the watchdog %s, the verdict %s, 200',
    async (status, watchdog, verdict) => {
      const { clock, get } = watched({ queue: () => status, other: () => 'healthy' })
      await clock.advance(1)
      const answer = await get('')
      expect(answer).toMatchObject({
        status: 200,
        body: {
          status: verdict,
          checks: { database: 'healthy' },
          watchdog_status: watchdog,
          watchdog_components: { queue: status, other: 'healthy' },
        },
      })
      expect((await get('/ready')).status).toBe(200)
    },
  )

  it('never more than degraded, never less than the checks', async () => {
    const { clock, database, get } = watched({ queue: () => 'unhealthy' })
    database.behave(() => false)
    await clock.advance(1)
    expect(await get('')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
  })

  it('with nothing to check and nobody asking, a look moves nothing and warns of nothing', async () => {
    const { clock, health, lines } = healthUnderTest({
      watchdog: { components: { ...NONE_OF_OURS, queue: () => 'healthy' } },
    })
    await clock.advance(MINUTE)
    expect([health.history, lines]).toEqual([[], []])
  })

  it('the cause is told, and a cached answer changes with the look', async () => {
    const queue = scripted()
    const { clock, get, health } = watched({ queue: queue.look }, { verdict: { refresh: false } })
    await clock.advance(1)
    await get('')
    const moves: string[] = []
    health.on('verdict', ({ from, to, cause }) => moves.push(`${from} -> ${to} (${cause})`))
    queue.status = 'degraded'
    await clock.advance(29_999)
    // nobody asked in the meantime
    expect(moves).toEqual(['healthy -> degraded (watchdog.queue)'])
    expect((await get('')).body).toMatchObject({ status: 'degraded' })
    expect((await health.verdict()).causes).toEqual(['watchdog.queue'])
    queue.status = 'healthy'
    await clock.advance(30_000)
    expect(moves).toHaveLength(2)
    expect((await get('')).body).toMatchObject({ status: 'healthy' })
  })
})

describe('looking', () => {
  it('begins with the next timers, then every 30 s', async () => {
    const queue = scripted()
    const { clock } = watched({ queue: queue.look })
    expect(queue.looks).toBe(0)
    await clock.advance(0)
    expect(queue.looks).toBe(1)
    await clock.advance(29_999)
    expect(queue.looks).toBe(1)
    await clock.advance(1)
    expect(queue.looks).toBe(2)
    await clock.advance(10 * MINUTE)
    expect(queue.looks).toBe(22)
  })

  it('comes at the interval that was asked for, counted from its beginning', async () => {
    const slow = scripted('hang')
    const { clock } = watched(
      { slow: slow.look },
      { watchdog: { components: { ...NONE_OF_OURS, slow: slow.look }, intervalMs: 5_000 } },
    )
    await clock.advance(3_000)
    slow.end('healthy')
    await clock.advance(1_999)
    expect(slow.looks).toBe(1)
    await clock.advance(1)
    expect(slow.looks).toBe(2)
  })

  it('all in parallel: two that hang cost one timeout', async () => {
    const [one, other] = [scripted('hang'), scripted('hang')]
    const { clock, reports } = watched({ one: one.look, other: other.look })
    await clock.advance(9_999)
    expect(reports).toEqual([])
    await clock.advance(1)
    expect(reports).toMatchObject([{ status: 'degraded', components: { one: 'unknown', other: 'unknown' } }])
  })

  it('one that never returns reads unknown, is aborted, and is not looked at again until it has ended', async () => {
    const stuck = scripted('hang')
    const { clock, get, lines, reports } = watched({ stuck: stuck.look, fine: () => 'healthy' })
    await clock.advance(10_000)
    expect(stuck.signal?.aborted).toBe(true)
    expect((await get('')).body).toMatchObject({
      status: 'degraded',
      watchdog_status: 'degraded',
      watchdog_components: { stuck: 'unknown', fine: 'healthy' },
    })
    expect(lines).toContain('warn: watchdog: stuck is unknown: no answer in 10000 ms')
    await clock.advance(5 * MINUTE)
    expect(stuck.looks).toBe(1)
    expect(reports).toHaveLength(1)
    // its late answer counts for nothing, but frees it
    stuck.status = 'healthy'
    stuck.end('unhealthy')
    await clock.advance(30_000)
    expect(stuck.looks).toBe(2)
    expect((await get('', 2_500)).body).toMatchObject({
      status: 'healthy',
      watchdog_components: { stuck: 'healthy' },
    })
    expect(lines.filter((line) => line.includes('watchdog: stuck'))).toEqual([
      'warn: watchdog: stuck is unknown: no answer in 10000 ms',
      'warn: watchdog: stuck is healthy',
    ])
  })

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('password=hunter2')
      },
      'ERROR: check failed (password=***)',
    ],
    ['rejects with nothing', () => Promise.reject(), 'ERROR: check failed (threw undefined: undefined)'],
    ['answers nonsense', () => 'ok' as never, undefined],
    ['answers nothing', () => undefined as never, undefined],
  ] as const)('one that %s reads unknown and breaks nothing', async (_what, look, why) => {
    const { clock, get, lines } = watched({ odd: look as WatchdogLook })
    await clock.advance(1)
    expect(await get('')).toMatchObject({
      status: 200,
      body: { status: 'degraded', watchdog_components: { odd: 'unknown' } },
    })
    const then = why === undefined ? '' : `: ${why}`
    expect(lines.filter((line) => line.includes('watchdog: odd'))).toEqual([
      `warn: watchdog: odd is unknown${then}`,
    ])
  })

  it('a listener of the signal that throws breaks nothing', async () => {
    const look: WatchdogLook = (signal) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          throw new Error('mine')
        }),
      )
    const { clock, get, lines } = watched({ odd: look })
    await clock.advance(10_000)
    expect((await get('')).body).toMatchObject({ watchdog_components: { odd: 'unknown' } })
    expect(lines.some((line) => line.startsWith('warn: watchdog: odd failed in a listener'))).toBe(true)
  })

  it('tells listeners of what is new alone', async () => {
    const queue = scripted()
    const { clock, reports } = watched({ queue: queue.look })
    await clock.advance(2 * MINUTE)
    queue.status = 'degraded'
    await clock.advance(2 * MINUTE)
    expect(reports.map(({ status }) => status)).toEqual(['healthy', 'degraded'])
  })
})

describe('the end', () => {
  it('health.close() stops every timer and aborts what is under way', async () => {
    const stuck = scripted('hang')
    const { clock, health } = watched(
      { stuck: stuck.look },
      { watchdog: { components: { memory: false, stuck: stuck.look } } },
    )
    await clock.advance(1)
    expect(clock.pending).toBeGreaterThan(0)
    await health.close()
    expect(stuck.signal?.aborted).toBe(true)
    expect(clock.pending).toBe(0)
    stuck.end('healthy')
    await clock.advance(MINUTE)
    expect(stuck.looks).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('a health that is closed at once has looked at nothing', async () => {
    const queue = scripted()
    const { clock, health } = watched({ queue: queue.look })
    await health.close()
    await clock.advance(MINUTE)
    expect(queue.looks).toBe(0)
  })

  it('a setup that ends after it starts no timer', async () => {
    const { clock, health } = healthUnderTest({ watchdog: { components: { memory: false } } })
    let end = (): void => undefined
    const setup = health.setup(
      () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
    )
    await health.close()
    end()
    await setup
    expect(clock.pending).toBe(0)
  })

  it('nobody is looked at any more once a drain has begun', async () => {
    const queue = scripted()
    const { clock, health } = watched({ queue: queue.look })
    await clock.advance(1)
    health.beginDrain()
    await clock.advance(5 * MINUTE)
    expect(queue.looks).toBe(1)
  })
})

describe('components of ours', () => {
  const ours = async (options: HealthOptions = {}, ms = 1) => {
    const test = healthUnderTest({
      watchdog: { components: { event_loop: false, memory: false } },
      ...options,
    })
    await test.clock.advance(ms)
    const { status, body } = await test.get('')
    return { ...test, status, body }
  }
  const read = async (test: Pick<Awaited<ReturnType<typeof ours>>, 'get'>) =>
    (await test.get('', 2_500)).body.watchdog_components

  it('a fresh start has them all, and they are well', async () => {
    const database = scriptedCheck('database', { stats: () => ({ idle: 0, waiting: 0, total: 0 }) })
    const test = await ours({ databases: { default: database }, watchdog: true })
    // memory is measured by reading files
    const { status, body } = await vi.waitFor(async () => {
      const answer = await test.get('')
      expect(answer.body).toHaveProperty('watchdog_status')
      return answer
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'healthy', watchdog_status: 'healthy' })
    expect(body.watchdog_components).toEqual({
      event_loop: 'healthy',
      memory: 'healthy',
      pool_default: 'healthy',
      cache: 'healthy',
      checks: 'healthy',
    })
  })

  it('what is not there is absent: a pool whose gauges do not tell, a cache that nothing refreshes or shares', async () => {
    const plain = scriptedCheck('plain')
    const mute = scriptedCheck('mute', { stats: () => ({ total: 3 }) })
    const { body } = await ours({
      databases: { default: plain, mute },
      checks: [scriptedCheck('other', { stats: () => ({ idle: 0, waiting: 9 }) })],
      verdict: { refresh: false },
    })
    expect(body.watchdog_components).toEqual({ checks: 'healthy' })
  })

  it('one of the user’s takes the place of ours', async () => {
    const { body } = await ours({
      verdict: { refresh: false },
      watchdog: { components: { event_loop: false, memory: () => 'unhealthy' } },
    })
    expect(body.watchdog_components).toEqual({ memory: 'unhealthy', checks: 'healthy' })
  })

  it('a pool: waiters and none idle, seen twice a second apart', async () => {
    let gauges = { idle: 0, waiting: 1 }
    let looks = 0
    const stats = () => {
      looks += 1
      return gauges
    }
    const test = await ours({ databases: { default: scriptedCheck('d', { stats }) } }, 999)
    expect(looks).toBe(1)
    expect(Object.keys(test.body)).not.toContain('watchdog_components')
    await test.clock.advance(1)
    expect(await read(test)).toMatchObject({ pool_default: 'degraded' })
    expect((await test.get('')).status).toBe(200)
    // a burst that is over a second later is none
    await test.clock.advance(28_999)
    looks = 0
    await test.clock.advance(1)
    expect(looks).toBe(1)
    gauges = { idle: 1, waiting: 0 }
    await test.clock.advance(1_000)
    expect(await read(test)).toMatchObject({ pool_default: 'healthy' })
  })

  it.each([
    [100, 33],
    [900, 300],
    [3_000, 1_000],
    [60_000, 1_000],
  ])('with a timeout of %i ms the second look at a pool comes after %i ms', async (timeoutMs, pauseMs) => {
    let looks = 0
    const stats = () => {
      looks += 1
      return { idle: 0, waiting: 1 }
    }
    const watchdog = { timeoutMs, components: { event_loop: false, memory: false } } as const
    const test = await ours({ databases: { default: scriptedCheck('d', { stats }) }, watchdog }, pauseMs - 1)
    expect(looks).toBe(1)
    await test.clock.advance(1)
    expect(looks).toBe(2)
    expect(await read(test)).toMatchObject({ pool_default: 'degraded' })
  })

  it('stats that throw turn the pool off, not degraded', async () => {
    const stats = (): never => {
      throw new Error('mine')
    }
    const { body } = await ours({ databases: { default: scriptedCheck('d', { stats }) } }, 2_000)
    expect(body.watchdog_components).not.toHaveProperty('pool_default')
  })

  it('checks: a run that is outstanding for over 5 minutes', async () => {
    const stuck = scriptedCheck('stuck', { critical: false })
    const test = await ours({ checks: [stuck] })
    stuck.behave('hang')
    await test.clock.advance(15_000)
    void test.get('', 2_500)
    await test.clock.advance(4.5 * MINUTE)
    expect(await read(test)).toMatchObject({ checks: 'healthy' })
    await test.clock.advance(MINUTE)
    expect(await read(test)).toMatchObject({ checks: 'degraded' })
    stuck.succeed()
    stuck.behave(() => true)
    await test.clock.advance(30_000)
    expect(await read(test)).toMatchObject({ checks: 'healthy' })
  })
})

describe('the cache', () => {
  const shared = (options: HealthOptions = {}) => {
    const clock = manualClock()
    const store = fakeStore(clock)
    const database = scriptedCheck('database')
    const test = healthUnderTest(
      {
        databases: { default: database },
        namespace: 'orders',
        ...options,
        verdict: { store, ...options.verdict },
        watchdog: { components: { event_loop: false, memory: false }, ...(options.watchdog as object) },
      },
      clock,
    )
    const cache = async (): Promise<unknown> =>
      ((await test.get('', 2_500)).body.watchdog_components as Record<string, unknown> | undefined)?.cache
    return { ...test, store, database, cache }
  }

  it.each([['hang'], ['refuse']] as const)(
    'a store that does not answer (%s), a second apart: degraded, and the checks are right',
    async (how) => {
      const { clock, store, cache, get } = shared()
      await clock.advance(1)
      expect(await cache()).toBe('healthy')
      store.behave(how)
      await clock.advance(40_000)
      expect(await cache()).toBe('degraded')
      expect(await get('', 2_500)).toMatchObject({
        status: 200,
        body: { status: 'degraded', checks: { database: 'healthy' } },
      })
      expect(store.most).toBe(1)
      store.behave('work')
      store.release()
      await clock.advance(60_000)
      expect(await cache()).toBe('healthy')
    },
  )

  it.each([['hang'], ['refuse']] as const)(
    'a store that does not answer (%s) is degraded also within the shortest timeout',
    async (how) => {
      const { clock, store, cache } = shared({ watchdog: { timeoutMs: 100 }, verdict: { refresh: false } })
      store.behave(how)
      await clock.advance(100)
      expect(await cache()).toBe('degraded')
    },
  )

  it('is asked also while nobody polls, once a look', async () => {
    const { clock, store } = shared({ verdict: { refresh: false } })
    await clock.advance(1)
    expect(store.asked.read).toBe(1)
    await clock.advance(120_000)
    expect(store.asked).toEqual({ read: 5, claim: 0, write: 0 })
  })

  it('one that is missing for less than a second is worth no word', async () => {
    const { clock, store, cache } = shared({ verdict: { refresh: false } })
    await clock.advance(29_999)
    store.behave('refuse')
    await clock.advance(500)
    store.behave('work')
    await clock.advance(1_000)
    expect(await cache()).toBe('healthy')
  })

  it('a refresher that does not get through for over twice its interval: degraded', async () => {
    const clock = manualClock()
    // the timer of its first turn is lost: whatever may keep it from its work
    const after: Clock['after'] = (ms, fire) =>
      clock.after(ms, ms > 5_000 && ms < 10_000 ? () => undefined : fire)
    const test = healthUnderTest(
      {
        databases: { default: scriptedCheck('database') },
        watchdog: { components: { event_loop: false, memory: false }, intervalMs: 10_000 },
      },
      { ...clock, after },
    )
    const seen: unknown[] = []
    test.health.on('watchdog', ({ components }) => seen.push([clock.now() - 1_000, components.cache]))
    await test.get('', 2_500)
    await clock.advance(60_000)
    expect(seen).toEqual([
      [0, 'healthy'],
      [30_000, 'degraded'],
    ])
  })
})

describe('escalation', () => {
  const escalating = (onEscalate: (escalation: Escalation) => unknown, more: object = {}) => {
    const queue = scripted()
    return {
      queue,
      ...watched(
        { queue: queue.look },
        {
          watchdog: { components: { ...NONE_OF_OURS, queue: queue.look }, onEscalate, ...more },
          namespace: 'orders',
        },
      ),
    }
  }

  it('is told after 180 s, again after an hour, and its end once', async () => {
    const told: Escalation[] = []
    const { queue, clock } = escalating((one) => told.push(one))
    await clock.advance(30_000 - 1)
    queue.status = 'unhealthy'
    const since = clock.wall() + 1
    await clock.advance(180_000)
    expect(told).toEqual([])
    await clock.advance(1)
    expect(told).toEqual([
      {
        kind: 'escalation',
        component: 'queue',
        status: 'unhealthy',
        since,
        at: since + 180_000,
        namespace: 'orders',
      },
    ])
    await clock.advance(60 * MINUTE)
    expect(told.map(({ kind }) => kind)).toEqual(['escalation', 'escalation'])
    queue.status = 'healthy'
    await clock.advance(10 * MINUTE)
    expect(told.slice(2)).toMatchObject([{ kind: 'recovery', component: 'queue', status: 'healthy', since }])
  })

  it('is not told of what was bad for less, nor its end', async () => {
    const told: Escalation[] = []
    const { queue, clock } = escalating((one) => told.push(one))
    queue.status = 'degraded'
    await clock.advance(150_000)
    queue.status = 'healthy'
    await clock.advance(60 * MINUTE)
    expect(told).toEqual([])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('token=abc')
      },
    ],
    ['rejects', () => Promise.reject(new Error('token=abc'))],
    ['never settles', () => new Promise(() => undefined)],
  ])('a listener that %s breaks nothing', async (what, onEscalate) => {
    const { queue, clock, get, lines } = escalating(onEscalate)
    queue.status = 'degraded'
    await clock.advance(240_000)
    expect((await get('', 2_500)).body).toMatchObject({ status: 'degraded' })
    const failures = lines.filter((line) => line.startsWith('error: onEscalate failed'))
    expect(failures).toHaveLength(what === 'never settles' ? 0 : 1)
    expect(failures.join()).not.toContain('abc')
    await clock.advance(60_000)
    expect(queue.looks).toBe(11)
  })
})
