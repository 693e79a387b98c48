import { until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { type QueueUnderTest, queueUnderTest, type Runner } from '../testing/queue-under-test.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'

let under: QueueUnderTest
afterEach(() => under.close())

const ok: Runner = (_, response) => void response.end('ok')
type Call = 'add' | 'take' | 'retry' | 'finish' | 'cancel' | 'expire' | 'status' | 'result' | 'counts'

/** A store of which these calls are refused. */
function failing(calls: Set<Call>) {
  const made: Call[] = []
  const wrap = (usual: QueueStore): QueueStore => {
    const guarded =
      (name: Call) =>
      async (...args: never[]): Promise<never> => {
        made.push(name)
        if (calls.has(name)) throw new Error(`no ${name} today`)
        return (usual[name] as (...args: never[]) => Promise<never>)(...args)
      }
    const names: readonly Call[] = [
      'add',
      'take',
      'retry',
      'finish',
      'cancel',
      'expire',
      'status',
      'result',
      'counts',
    ]
    return { ...usual, ...Object.fromEntries(names.map((name) => [name, guarded(name)])) } as QueueStore
  }
  return { made, wrap }
}

test('answers 503 while the store cannot be reached, and says so in one line', async () => {
  const calls = new Set<Call>(['add', 'status', 'result', 'cancel'])
  // no time passes: what the queue does by itself from time to time does not meet the store meanwhile
  under = await queueUnderTest(ok, { clock: manualClock(), store: failing(calls).wrap })
  const id = '0'.repeat(32)
  const asked = [
    ['POST', '/queue/x'],
    ['GET', `/queue/requests/${id}/status`],
    ['GET', `/queue/requests/${id}`],
    ['PUT', `/queue/requests/${id}/cancel`],
  ] as const
  for (const [method, path] of asked) {
    const answer = await under.ask(method, path)
    expect([answer.status, answer.header('retry-after')]).toEqual([503, '1'])
    expect(answer.body).not.toContain('today')
  }
  expect(under.lines).toHaveLength(1)
  expect(under.lines[0]).toContain('no add today')
  calls.clear()
  expect((await under.result(await under.add('/x'))).body).toBe('ok')
  expect(under.lines[1]).toBe('queue: the store is reached again')
})

test.each(['take', 'finish', 'retry'] as const)('loses no request while %s is refused', async (name) => {
  const clock = manualClock()
  const calls = new Set<Call>([name])
  const { made, wrap } = failing(calls)
  under = await queueUnderTest(
    (seen, response) => void response.writeHead(seen.attempt === 1 ? 503 : 200).end(`${seen.attempt}`),
    { clock, store: wrap, settings: { attempts: name === 'finish' ? 1 : 4 } },
  )
  const ids = [await under.add('/1'), await under.add('/2')]
  const tries = () => made.filter((each) => each === name).length
  await until(() => tries() === 1)
  // it is not asked on and on, and nothing else is begun meanwhile
  const { asked } = under.fleet
  const seen = under.seen.length
  under.fleet.tell()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([tries(), under.fleet.asked, under.seen.length]).toEqual([1, asked, seen])
  await clock.advance(1_000)
  await until(() => tries() === 2)
  await clock.advance(1_900)
  expect(tries()).toBe(2)
  calls.clear()
  await until(async () => {
    await clock.advance(100)
    const { completed } = await under.queue.counts()
    return completed === 2
  })
  for (const id of ids) expect((await under.result(id)).status).toBe(name === 'finish' ? 503 : 200)
  expect([...under.together.values()]).toEqual([1, 1])
  expect(under.fleet.inUse).toBe(0)
})

test('is left alone for longer each time, and for a second again when it was reached meanwhile', async () => {
  const clock = manualClock()
  const calls = new Set<Call>(['take'])
  const { made, wrap } = failing(calls)
  under = await queueUnderTest(ok, { clock, store: wrap })
  const tries = () => made.filter((each) => each === 'take').length
  await under.add('/x')
  for (const [after, ms] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    await until(() => tries() === after + 1)
    await clock.advance(ms - 1)
    expect(tries()).toBe(after + 1)
    await clock.advance(1)
  }
  calls.clear()
  await clock.advance(30_000)
  await until(() => under.fleet.signs.some(({ kind }) => kind === 'answered'))
  calls.add('take')
  const before = tries()
  await under.add('/y')
  await until(() => tries() === before + 1)
  await clock.advance(1_000)
  expect(tries()).toBe(before + 2)
})

test('looks for missed start deadlines again after a refusal', async () => {
  const clock = manualClock()
  const calls = new Set<Call>(['expire'])
  const { made, wrap } = failing(calls)
  under = await queueUnderTest(ok, { clock, store: wrap, isStarted: false })
  under.fleet.concurrency = 0
  under.queue.start()
  const id = await under.add('/x', { 'x-baldur-start-timeout': '1' })
  await clock.advance(2_000)
  expect(made.filter((name) => name === 'expire').length).toBeGreaterThan(2)
  calls.clear()
  await clock.advance(300)
  expect((await under.ask('GET', `/queue/requests/${id}`)).status).toBe(504)
})

test('is told one last time of what ran when the queue is closed', async () => {
  const clock = manualClock()
  const calls = new Set<Call>(['finish'])
  const { made, wrap } = failing(calls)
  under = await queueUnderTest(ok, { clock, store: wrap })
  const id = await under.add('/x')
  await until(() => made.includes('finish'))
  await under.queue.close()
  await until(() => under.lines.some((line) => line.includes('could not be told')))
  expect(made.filter((name) => name === 'finish')).toHaveLength(2)
  expect(under.lines.at(-1)).toContain(id)
  expect(clock.pending).toBe(0)
})

test('shows a result that was recorded between two questions', async () => {
  let results = 0
  under = await queueUnderTest(ok, {
    store: (usual) => ({
      ...usual,
      result: async (id) => {
        results += 1
        return results === 1 ? undefined : usual.result(id)
      },
    }),
  })
  const id = await under.add('/x')
  await until(async () => (await under.queue.counts()).completed === 1)
  expect((await under.ask('GET', `/queue/requests/${id}`)).body).toBe('ok')
  expect(results).toBe(2)
})
