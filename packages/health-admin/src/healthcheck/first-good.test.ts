import { expect, test } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { firstGood, type Outcomes } from './first-good.ts'
import { bad, type Outcome } from './outcome.ts'

const GOOD: Outcome = { isGood: true, words: 'answered 200' }
const ILL = bad('answered 503')
const A = '127.0.0.1'
const B = '::1'

/** Addresses that answer after some time, or never. */
function addresses(answers: Readonly<Record<string, readonly [ms: number, outcome: Outcome] | undefined>>) {
  const clock = manualClock(0)
  const asked: string[] = []
  const aborted: string[] = []
  let result: Outcomes | undefined
  void firstGood({
    hosts: Object.keys(answers),
    timeoutMs: 3_000,
    after: clock.after,
    ask: (host, signal) => {
      asked.push(`${host} at ${clock.now()}`)
      signal.addEventListener('abort', () => aborted.push(host))
      const [ms, outcome] = answers[host] ?? []
      return new Promise((resolve) => {
        if (ms !== undefined && outcome !== undefined) clock.after(ms, () => resolve(outcome))
      })
    },
  }).then((outcomes) => {
    result = outcomes
  })
  return { clock, asked, aborted, result: () => result && Object.fromEntries(result) }
}

test('asks one address alone where that answers', async () => {
  const { clock, asked, result } = addresses({ [A]: [200, GOOD], [B]: [0, GOOD] })
  await clock.advance(200)
  expect(result()).toEqual({ [A]: GOOD })
  expect(asked).toEqual([`${A} at 0`])
  expect(clock.pending).toBe(0)
})

test('asks the next as soon as one has failed', async () => {
  const { clock, asked, result } = addresses({ [A]: [20, ILL], [B]: [30, GOOD] })
  await clock.advance(50)
  expect(asked).toEqual([`${A} at 0`, `${B} at 20`])
  expect(result()).toEqual({ [A]: ILL, [B]: GOOD })
})

test.each([
  ['the first', { [A]: undefined, [B]: [30, GOOD] as const }, 280],
  ['the second', { [A]: [400, GOOD] as const, [B]: undefined }, 400],
])('a listener that says nothing, %s of two, does not hide the good one', async (_which, answers, ms) => {
  const { clock, asked, aborted, result } = addresses(answers)
  await clock.advance(ms - 1)
  expect(result()).toBeUndefined()
  await clock.advance(1)
  expect(Object.values(result() ?? {})).toContainEqual(GOOD)
  expect(asked).toEqual([`${A} at 0`, `${B} at 250`])
  expect(aborted).toEqual([A, B])
})

test('fails once every address has, each named, and asks none twice', async () => {
  const { clock, asked, result } = addresses({ [A]: [300, ILL], [B]: [400, ILL] })
  await clock.advance(649)
  expect(result()).toBeUndefined()
  await clock.advance(1)
  expect(result()).toEqual({ [A]: ILL, [B]: ILL })
  expect(asked).toEqual([`${A} at 0`, `${B} at 250`])
})

test('ends when the time is over, whatever is outstanding, and lets go of it', async () => {
  const { clock, aborted, result } = addresses({ [A]: [500, ILL], [B]: undefined })
  await clock.advance(2_999)
  expect(result()).toBeUndefined()
  await clock.advance(1)
  expect(result()).toEqual({ [A]: ILL, [B]: bad('gave no answer in 3 s') })
  expect(aborted).toContain(B)
  expect(clock.pending).toBe(0)
})

test('one address has all of the time', async () => {
  const { clock, result } = addresses({ [A]: [2_900, GOOD] })
  await clock.advance(2_900)
  expect(result()).toEqual({ [A]: GOOD })
})
