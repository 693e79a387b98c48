import { beforeEach, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../machinery/manual-clock.ts'
import { type FakeStore, fakeStore } from '../testing/fake-store.ts'
import type { SharedStore } from '../vocabulary/store.ts'
import { type Claim, createSharedResults, type SharedResults } from './shared-results.ts'

let clock: ManualClock
let store: FakeStore
let lines: string[]
let results: SharedResults

const BOUNDS = { waitMs: 50, failures: 3, restMs: 10_000, claimMs: 3_000, ttlMs: 15_000 }
const ENTRY = { ttlMs: 15_000, ageMs: 0, checks: { database: 'usable' }, by: 'one' } as const

function make(of: SharedStore = store): SharedResults {
  const log = (line: string): void => void lines.push(line)
  const logger = { debug: log, info: log, warn: log, error: log }
  return createSharedResults(of, { key: 'k', names: ['database'], oldestMs: BOUNDS.ttlMs }, BOUNDS, {
    clock,
    logger,
  })
}
async function claimed(): Promise<Claim> {
  const claim = await results.claim(50)
  if (claim === undefined || claim === 'taken') throw new Error(`no claim but ${claim}`)
  return claim
}

beforeEach(() => {
  clock = manualClock()
  store = fakeStore(clock)
  lines = []
  results = make()
})

test('what one process claims and publishes, others read, and none claims it meanwhile', async () => {
  const other = make()
  const claim = await claimed()
  expect(await other.claim(50)).toBe('taken')
  await clock.advance(1_000)
  await results.publish(claim, ENTRY, 15_000)
  await clock.advance(500)
  // its life counts from the claim
  expect(await other.read(50)).toEqual({
    sinceMs: 1_500,
    ageMs: 1_500,
    remainingMs: 13_500,
    failing: [],
    by: 'one',
  })
  expect(await other.claim(50)).toMatchObject({ forMs: 3_000 })
})

test('a claim that has run out publishes nothing, nor does a life that has', async () => {
  const claim = await claimed()
  await results.publish(claim, ENTRY, 0.5)
  expect(store.asked.write).toBe(0)
  await clock.advance(3_000)
  await results.publish(claim, ENTRY, 15_000)
  expect(await results.read(50)).toBeUndefined()
})

test('questions are put one after the other, each within its own time', async () => {
  store.behave('hang')
  const answers = [results.read(50), results.claim(50), results.read(50)]
  await clock.advance(10)
  expect([store.outstanding, store.most]).toEqual([1, 1])
  for (let i = 0; i < 3; i++) {
    store.release()
    await clock.advance(1)
  }
  await Promise.all(answers)
  expect([store.most, store.asked.read, store.asked.claim]).toEqual([1, 2, 1])
})

test('one that waited behind a stalled one until its time was over is never put', async () => {
  store.behave('hang')
  const answers = [results.read(50), results.read(50), results.claim(50)]
  await clock.advance(50)
  expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined])
  store.release()
  await clock.advance(1_000)
  expect([store.asked.read, store.asked.claim]).toEqual([1, 0])
  store.behave('work')
  expect(results.isOpen()).toBe(true)
  expect(await results.claim(50)).toMatchObject({ forMs: 3_000 })
})

test('reading and writing are left alone each by itself, and each comes back by itself', async () => {
  store.behave('refuse', ['claim', 'write'])
  for (let i = 0; i < 10; i++) {
    expect(await results.claim(50)).toBeUndefined()
    await results.read(50)
  }
  expect([store.asked.claim, store.asked.read, results.isOpen()]).toEqual([3, 10, true])
  store.behave('work')
  await clock.advance(10_000)
  await results.claim(50)
  expect(lines.map((line) => line.split(',')[0])).toEqual([
    'shared store not writable',
    'shared store writable again',
  ])
})

test('after it was closed nothing is asked and nothing is told', async () => {
  store.behave('hang')
  const asked = results.read(50)
  await results.close()
  await clock.advance(60_000)
  expect(await asked).toBeUndefined()
  expect([await results.read(50), await results.claim(50), results.isOpen()]).toEqual([
    undefined,
    undefined,
    false,
  ])
  expect([store.isClosed, store.asked.read, lines, clock.pending]).toEqual([true, 1, [], 0])
})

test('a store that does not close is waited for 1 s', async () => {
  const hung = { ...store, close: () => new Promise<void>(() => undefined) }
  const shared = make(hung)
  let isClosed = false
  const closed = shared.close().then(() => {
    isClosed = true
  })
  await clock.advance(999)
  expect(isClosed).toBe(false)
  await clock.advance(1)
  await closed
  expect(lines).toEqual(['the shared store did not close within 1000 ms; no longer waiting for it'])
  expect(clock.pending).toBe(0)
})

test('why a question failed that was late is told once, while its side is left alone', async () => {
  let fail: (error: Error) => void = () => undefined
  const read = () =>
    new Promise<undefined>((_resolve, reject) => {
      fail = reject
    })
  results = make({ ...store, read })
  for (let round = 0; round < 2; round++) {
    const answers = [results.read(50), results.read(50), results.read(50)]
    await clock.advance(50)
    await Promise.all(answers)
    fail(Object.assign(new Error('no way there'), { code: 'EHOSTUNREACH' }))
    await clock.advance(10_000)
  }
  expect(lines).toEqual([
    expect.stringMatching(/^shared store not readable, .*no answer in 50 ms/),
    expect.stringMatching(/^shared store failed \(late reply\): EHOSTUNREACH: /),
  ])
})
