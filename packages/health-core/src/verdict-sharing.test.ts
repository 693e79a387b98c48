import { describe, expect, test } from 'vitest'
import { type ManualClock, manualClock } from './machinery/manual-clock.ts'
import type { HealthOptions } from './options/input.ts'
import { type FakeStore, fakeStore } from './testing/fake-store.ts'
import { type HealthUnderTest, healthUnderTest } from './testing/health-under-test.ts'
import { type ScriptedCheck, scriptedCheck } from './testing/scripted-check.ts'

interface Process extends HealthUnderTest {
  readonly database: ScriptedCheck
}

/** Some processes of one service, on one clock and one store. */
function fleet(
  size: number,
  options: HealthOptions = {},
  policy: Partial<ScriptedCheck> = {},
): { readonly clock: ManualClock; readonly store: FakeStore; readonly processes: readonly Process[] } {
  const clock = manualClock()
  const store = fakeStore(clock)
  const processes = Array.from({ length: size }, () => {
    const database = scriptedCheck('x', policy)
    const all = { databases: { default: database }, namespace: 'orders', ...options }
    const under = healthUnderTest({ ...all, verdict: { store, ...options.verdict } }, clock)
    return { ...under, database }
  })
  return { clock, store, processes }
}

const runsOf = (processes: readonly Process[]): number =>
  processes.reduce((sum, { database }) => sum + database.runs, 0)
/** Asks all at once; half a second later every one has answered. */
const pollAll = async (clock: ManualClock, processes: readonly Process[]): Promise<readonly unknown[]> => {
  const asked = processes.map(({ ask }) => ask(''))
  await clock.advance(500)
  return asked.map(({ settled }) => settled?.body.status)
}
const cacheOf = async (process: Process | undefined, withinMs?: number): Promise<unknown> =>
  (await process?.get('', withinMs))?.body._cache
const statusOf = async (process: Process | undefined, withinMs?: number): Promise<unknown> =>
  (await process?.get('', withinMs))?.body.status

describe('a fleet on one store', () => {
  test('computes about once per interval, all together', async () => {
    const { clock, processes } = fleet(4)
    for (let i = 0; i < 150; i++) {
      for (const { ask } of processes) ask('')
      await clock.advance(100)
    }
    const before = runsOf(processes)
    for (let i = 0; i < 6_000; i++) {
      for (const { ask } of processes) ask('')
      await clock.advance(100)
    }
    const perInterval = (runsOf(processes) - before) / 60
    expect(perInterval).toBeGreaterThan(0.99)
    expect(perInterval).toBeLessThan(1.1)
  })

  test('rests when nobody has asked any of them for five minutes', async () => {
    const { clock, processes } = fleet(4)
    for (const { get } of processes) await get('')
    await clock.advance(311_000)
    const before = runsOf(processes)
    await clock.advance(3_600_000)
    expect([runsOf(processes), clock.pending]).toEqual([before, 0])
  })

  test('a cold one that comes while another computes waits for that a little, then computes itself', async () => {
    const { clock, processes } = fleet(2)
    const [first, second] = processes
    first?.database.behave('hang')
    const one = first?.ask('')
    await clock.advance(0)
    const other = second?.ask('')
    await clock.advance(20)
    expect(other?.settled).toBeUndefined()
    first?.database.succeed()
    await clock.advance(10)
    expect(one?.settled?.body._cache).toEqual({ hit: 'L3', age_ms: 0 })
    expect(other?.settled?.body._cache).toMatchObject({ hit: 'L2' })
    expect(second?.database.runs).toBe(0)

    const slow = fleet(2)
    slow.processes[0]?.database.behave('hang')
    slow.processes[0]?.ask('')
    await slow.clock.advance(0)
    const waiting = slow.processes[1]?.ask('')
    await slow.clock.advance(50)
    expect(waiting?.settled?.body._cache).toMatchObject({ hit: 'L3' })
  })

  test('L1 ends after two seconds, and never later than the entry that it comes from', async () => {
    const { clock, store, processes } = fleet(2, { verdict: { refresh: false, l1TtlMs: 60_000 } })
    const [first, second] = processes
    await first?.get('')
    await clock.advance(14_000)
    expect(await cacheOf(second)).toEqual({ hit: 'L2', age_ms: 14_000 })
    await clock.advance(999)
    expect(await cacheOf(second)).toEqual({ hit: 'L1', age_ms: 14_999 })
    await clock.advance(1)
    expect(await cacheOf(second)).toEqual({ hit: 'L3', age_ms: 0 })

    const usual = fleet(2, { verdict: { refresh: false } })
    await usual.processes[0]?.get('')
    await usual.clock.advance(1_000)
    await usual.processes[1]?.get('')
    await usual.clock.advance(1_999)
    expect(await cacheOf(usual.processes[1])).toEqual({ hit: 'L1', age_ms: 2_999 })
    await usual.clock.advance(1)
    expect(await cacheOf(usual.processes[1])).toEqual({ hit: 'L2', age_ms: 3_000 })
    expect(store.asked.read).toBeGreaterThan(0)
  })

  test('the store holds check results alone: phase, responses and switch are those of the process', async () => {
    const { store, processes } = fleet(2, { selfHealing: false })
    const [first, second] = processes
    const observe = first?.health.observe()
    observe?.(504, {})
    await first?.get('')
    const [entry] = [...store.entries.values()]
    expect(JSON.parse(entry?.text ?? '')).toEqual({
      v: 1,
      ttlMs: 15_000,
      ageMs: 0,
      checks: { database: 'usable' },
      by: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect((await first?.get(''))?.body.status).toBe('degraded')
    expect((await second?.get(''))?.body).toMatchObject({ status: 'healthy', baldur_enabled: false })
    first?.health.beginDrain()
    expect((await first?.get(''))?.body.status).toBe('draining')
    expect((await second?.get(''))?.body).toMatchObject({
      status: 'healthy',
      checks: { database: 'healthy' },
    })
  })

  test('services with other namespaces, or other checks, never read each other', async () => {
    const clock = manualClock()
    const store = fakeStore(clock)
    const make = (namespace: string, alias: string): HealthUnderTest =>
      healthUnderTest(
        {
          databases: { default: scriptedCheck('x'), [alias]: scriptedCheck('x') },
          namespace,
          verdict: { store },
        },
        clock,
      )
    await make('orders', 'a').get('')
    for (const other of [make('billing', 'a'), make('orders', 'b')]) {
      expect((await other.get('')).body._cache).toMatchObject({ hit: 'L3' })
    }
    expect((await make('orders', 'a').get('')).body._cache).toMatchObject({ hit: 'L2' })
  })
})

describe('one process and the others', () => {
  test('bad news is confirmed before it is answered: a broken network of one takes nobody else down', async () => {
    const { clock, processes } = fleet(3)
    const [broken, ...others] = processes
    broken?.database.behave(() => Promise.reject(new Error('no route')))
    for (let i = 0; i < 600; i++) {
      expect(await statusOf(broken)).toBe('unhealthy')
      for (const other of others) expect(await statusOf(other)).toBe('healthy')
      await clock.advance(500)
    }
    for (const { health } of others) expect(health.history).toEqual([])
    // it announced its failure once, and each of the others looked once for itself
    const intervals = 300 / 10
    expect(broken?.database.runs).toBeLessThan(1.3 * intervals)
    expect(runsOf(others)).toBeLessThan(1.3 * intervals + 2)
  })

  test('one that sees a failure of its own never answers healthy from the shared entry, however fresh that is', async () => {
    const { clock, store, processes } = fleet(2)
    const [good, bad] = processes
    await good?.get('')
    expect(await statusOf(bad)).toBe('healthy')
    bad?.database.behave(() => false)
    await bad?.get('/ready')
    for (let i = 0; i < 300; i++) {
      expect(await statusOf(good)).toBe('healthy')
      expect(await statusOf(bad)).toBe('unhealthy')
      await clock.advance(500)
    }
    // long after: its own failure is too old to be told, and still nobody else's word is taken for it
    await clock.advance(3_600_000)
    const { runs } = bad?.database ?? { runs: 0 }
    await good?.get('?nocache=true')
    await good?.get('')
    expect(await statusOf(bad)).toBe('unhealthy')
    expect(bad?.database.runs).toBe(runs + 1)
    bad?.database.behave(() => true)
    await clock.advance(15_000)
    expect(await statusOf(bad)).toBe('healthy')
    expect(store.most).toBe(1)
  })

  test('one that has only heard of the others counts its own failures to fall, not the first one as the last', async () => {
    const { clock, processes } = fleet(2, { verdict: { refresh: false } }, { fall: 3 })
    const [first, second] = processes
    await first?.get('')
    expect(await statusOf(second)).toBe('healthy')
    second?.database.behave(() => false)
    const seen: unknown[] = []
    for (let i = 0; i < 3; i++) {
      await clock.advance(1_000)
      seen.push((await second?.get('?nocache=true'))?.body.status)
    }
    expect(seen).toEqual(['healthy', 'healthy', 'unhealthy'])
    // readiness is its own affair: it has never seen a success itself
    expect((await second?.get('/ready'))?.body.status).toBe('not_ready')
  })

  test.each([1, 3])(
    'with a fall of %i an outage for all is told by each of ten as soon as by one alone',
    async (fall) => {
      const { clock, processes } = fleet(10, {}, { fall })
      for (let i = 0; i < 100; i++) await pollAll(clock, processes)
      for (const { database } of processes) database.behave(() => false)
      let polls = 1
      while ((await pollAll(clock, processes)).includes('healthy') && polls < 400) polls += 1
      const intervals = polls / 20
      expect(intervals).toBeLessThan(fall + 1)
      const before = runsOf(processes)
      for (let i = 0; i < 600; i++) {
        expect(new Set(await pollAll(clock, processes))).toEqual(new Set(['unhealthy']))
      }
      expect((runsOf(processes) - before) / 30).toBeLessThan(1.3)
    },
  )

  test('with a rise of 3 an outage for all ends for each of ten as soon as for one alone', async () => {
    const { clock, processes } = fleet(10, {}, { rise: 3 })
    for (const { ask } of processes) ask('/ready')
    for (let i = 0; i < 60; i++) await pollAll(clock, processes)
    for (const { database } of processes) database.behave(() => false)
    for (let i = 0; i < 240; i++) await pollAll(clock, processes)
    for (const { database } of processes) database.behave(() => true)
    let polls = 1
    while ((await pollAll(clock, processes)).includes('unhealthy') && polls < 400) polls += 1
    expect(polls / 20).toBeLessThan(4)
  })

  test('one that has only heard of the others counts its own successes to rise, too', async () => {
    const { clock, processes } = fleet(2, { verdict: { refresh: false } }, { fall: 2, rise: 3 })
    const [first, second] = processes
    await first?.get('')
    expect(await statusOf(second)).toBe('healthy')
    const seen: unknown[] = []
    for (const isUsable of [false, false, false, true, true, true, true]) {
      second?.database.behave(() => isUsable)
      await clock.advance(1_000)
      seen.push((await second?.get('?nocache=true'))?.body.status === 'healthy')
    }
    expect(seen).toEqual([true, false, false, false, false, true, true])
  })

  test('a failure that all have seen is computed once for all, and its end is seen by all', async () => {
    const mail = scriptedCheck('mail', { critical: false })
    mail.behave(() => false)
    const { clock, processes } = fleet(4, { checks: [mail] })
    for (let i = 0; i < 100; i++) await pollAll(clock, processes)
    const before = [runsOf(processes), mail.runs]
    for (let i = 0; i < 1_200; i++) {
      expect(new Set(await pollAll(clock, processes))).toEqual(new Set(['degraded']))
    }
    const after = [runsOf(processes), mail.runs]
    for (const [index, runs] of after.entries()) {
      const perInterval = (runs - (before[index] ?? 0)) / 60
      expect(perInterval).toBeGreaterThan(0.99)
      expect(perInterval).toBeLessThan(1.3)
    }
    mail.behave(() => true)
    for (let i = 0; i < 50; i++) await pollAll(clock, processes)
    expect(new Set(await pollAll(clock, processes))).toEqual(new Set(['healthy']))
  })

  test('what one finds out reaches the others within their L1 and a computation', async () => {
    const { clock, processes } = fleet(2)
    const [first, second] = processes
    for (let i = 0; i < 20; i++) {
      await first?.get('')
      await second?.get('')
      await clock.advance(500)
    }
    for (const { database } of processes) database.behave(() => false)
    const downAt = clock.now()
    while ((await statusOf(first)) === 'healthy' && (await statusOf(second)) === 'healthy')
      await clock.advance(500)
    expect(clock.now() - downAt).toBeLessThanOrEqual(10_000)
    await clock.advance(2_000)
    expect([await statusOf(first), await statusOf(second)]).toEqual(['unhealthy', 'unhealthy'])
  })

  test('bad news that is newer than good results of one’s own is looked into, though those are fresh', async () => {
    const { clock, processes } = fleet(2, { verdict: { refresh: false } })
    const [first, second] = processes
    await first?.get('')
    await clock.advance(14_000)
    await second?.get('?nocache=true')
    await clock.advance(1_000)
    first?.database.behave(() => false)
    expect(await statusOf(first)).toBe('unhealthy')
    second?.database.behave(() => false)
    await clock.advance(1_000)
    expect(await statusOf(second)).toBe('unhealthy')
    expect(second?.database.runs).toBe(2)
  })

  test('a result that may not be asked for again yet is shared with its own age', async () => {
    const { clock, store, processes } = fleet(2, {
      databases: { default: scriptedCheck('x', { minIntervalMs: 60_000 }) },
      verdict: { refresh: false },
    })
    const [first, second] = processes
    await first?.get('')
    await clock.advance(20_000)
    await first?.get('')
    await clock.advance(1_000)
    expect(await cacheOf(second)).toEqual({ hit: 'L2', age_ms: 21_000 })
    expect(store.entries.size).toBe(1)
  })

  test('?nocache=true computes for its own process and leaves the store alone', async () => {
    const { store, processes } = fleet(2)
    const [first, second] = processes
    await first?.get('')
    const asked = { ...store.asked }
    expect((await second?.get('?nocache=true'))?.body._cache).toEqual({ hit: 'BYPASSED', age_ms: 0 })
    expect(await cacheOf(second)).toEqual({ hit: 'L1', age_ms: 0 })
    expect(store.asked).toEqual(asked)
  })
})

describe('a store that', () => {
  test('stalls costs 50 ms once, holds one question, and is asked again when it has answered', async () => {
    const { clock, store, processes } = fleet(1)
    const [one] = processes
    store.behave('hang')
    const asked = one?.ask('')
    await clock.advance(49)
    expect(asked?.settled).toBeUndefined()
    await clock.advance(1)
    expect(asked?.settled).toMatchObject({ status: 200, body: { _cache: { hit: 'L3' } } })
    for (let i = 0; i < 600; i++) {
      expect(one?.ask('').settled?.status).toBe(200)
      await clock.advance(500)
    }
    expect([store.most, store.asked.read]).toEqual([1, 1])
    expect(one?.lines.filter((line) => line.includes('shared'))).toEqual([
      'warn: shared store not readable, using local results: the previous request is still unanswered',
    ])
    store.behave('work')
    store.release()
    for (let i = 0; i < 60; i++) {
      await one?.get('')
      await clock.advance(500)
    }
    expect(store.entries.size).toBe(1)
    expect(one?.lines.at(-1)).toBe('warn: shared store readable again')
  })

  test('stalls and comes back never has an old result written into it', async () => {
    const { clock, store, processes } = fleet(2, { verdict: { refresh: false } })
    const [first, second] = processes
    store.behave('hang', ['write'])
    await first?.get('')
    await clock.advance(60_000)
    store.release()
    await clock.advance(0)
    expect(store.entries.size).toBe(0)
    second?.database.behave(() => false)
    expect(await statusOf(second, 50)).toBe('unhealthy')
  })

  test('refuses costs no time, and is left alone for ten seconds after the third time', async () => {
    const { clock, store, processes } = fleet(1)
    const [one] = processes
    store.behave('refuse')
    for (let i = 0; i < 60; i++) {
      expect(await statusOf(one)).toBe('healthy')
      await clock.advance(500)
    }
    // three times at first, then once after each rest
    expect(store.asked.read).toBeGreaterThan(3)
    expect(store.asked.read).toBeLessThan(8)
    expect(one?.lines).toEqual([
      'warn: shared store not readable, using local results: ECONNREFUSED: connection refused (refused)',
    ])
    expect(one?.database.runs).toBeLessThan(5)
  })

  test('can be read but not written: everyone computes for itself, and both words are kept apart', async () => {
    const { clock, store, processes } = fleet(2)
    store.behave('refuse', ['claim', 'write'])
    for (let i = 0; i < 200; i++) {
      for (const process of processes) expect(await statusOf(process)).toBe('healthy')
      await clock.advance(500)
    }
    expect(runsOf(processes)).toBeLessThan(2 * 1.3 * 10 + 2)
    for (const { lines } of processes)
      expect(lines).toEqual([
        'warn: shared store not writable, using local results: ECONNREFUSED: connection refused (refused)',
      ])
  })

  test.each([
    ['garbage', '\u0000{'],
    ['another schema', JSON.stringify({ v: 9, ttlMs: 15_000, ageMs: 0, checks: { database: 'usable' } })],
    ['other checks', JSON.stringify({ v: 1, ttlMs: 15_000, ageMs: 0, checks: { queue: 'usable' } })],
  ])('holds %s under our key is read past, and written over', async (_what, text) => {
    const { clock, store, processes } = fleet(2)
    const [first, second] = processes
    await first?.get('')
    const [key = ''] = [...store.entries.keys()]
    store.entries.set(key, { text, until: clock.now() + 15_000 })
    second?.database.behave(() => false)
    expect(await statusOf(second)).toBe('unhealthy')
    expect(second?.lines.filter((line) => line.includes('shared'))).toEqual([])
    expect(store.entries.get(key)?.text).toContain('"database":"unusable"')
  })

  test.each([
    [
      'throws at once',
      {
        read: () => {
          throw new Error('no')
        },
        claim: () => {
          throw new Error('no')
        },
        write: () => {
          throw new Error('no')
        },
      },
    ],
    ['returns nonsense', { read: () => 5, claim: () => 'OK', write: () => null }],
    [
      'returns hostile objects',
      {
        read: () =>
          Object.defineProperty({}, 'text', {
            get: () => {
              throw new Error('no')
            },
          }),
        claim: () => ({}),
        write: () => undefined,
      },
    ],
  ])('%s changes no answer', async (_how, store) => {
    const { get, clock } = healthUnderTest({
      databases: { default: scriptedCheck('x') },
      namespace: 'orders',
      verdict: { store: store as never },
    })
    for (let i = 0; i < 60; i++) {
      expect(await get('', 50)).toMatchObject({ status: 200, body: { status: 'healthy' } })
      await clock.advance(500)
    }
  })

  test('is there without a check to share is not asked at all', async () => {
    const { store, processes } = fleet(1, { databases: {} })
    expect(await statusOf(processes[0])).toBe('unhealthy')
    expect(store.asked).toEqual({ read: 0, claim: 0, write: 0 })
  })

  test('is closed with the health, hears nothing afterwards, and does not hold it up', async () => {
    const { clock, store, processes } = fleet(1)
    await processes[0]?.get('')
    await processes[0]?.health.close()
    const { read } = store.asked
    await processes[0]?.get('')
    expect([store.isClosed, store.asked.read, clock.pending]).toEqual([true, read, 0])

    const hanging = { ...fakeStore(clock), close: () => new Promise<void>(() => undefined) }
    const { health } = healthUnderTest({ namespace: 'orders', verdict: { store: hanging } }, clock)
    const closing = health.close()
    await clock.advance(10_000)
    await closing
  })
})
