import { expect, it } from 'vitest'
import { manualClock } from '../machinery/manual-clock.ts'
import type { Escalation } from '../vocabulary/watchdog.ts'
import { createNotifier } from './notifier.ts'

const BOUNDS = {
  attempts: 4,
  timeoutMs: 10_000,
  firstBackoffMs: 1_000,
  longestBackoffMs: 3_000,
  maxPending: 3,
}
type Behaviour = number | Error | 'hang'

/** A receiver that does what it is told, one behaviour after the other; the last one stays. */
function notifying(...behaviours: Behaviour[]) {
  const clock = manualClock()
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const posts: { at: number; what: string; signal: AbortSignal }[] = []
  let outstanding = 0
  let most = 0
  const start = clock.now()
  const post = async (notice: object, signal: AbortSignal): Promise<number> => {
    const { event, component } = notice as Record<string, string>
    posts.push({ at: clock.now() - start, what: `${event} of ${component}`, signal })
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0]
    outstanding += 1
    most = Math.max(most, outstanding)
    try {
      if (behaviour === 'hang') {
        return await new Promise<number>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      }
      if (behaviour instanceof Error) throw behaviour
      return behaviour ?? 200
    } finally {
      outstanding -= 1
    }
  }
  const logger = { debug: log, info: log, warn: log, error: log }
  const notifier = createNotifier({ origin: 'https://hooks.example', post }, BOUNDS, { clock, logger })
  const send = (kind: Escalation['kind'], component = 'queue'): void =>
    notifier.send({ kind, component, status: 'degraded', since: 0, at: 180_000 })
  return { clock, lines, posts, notifier, send, most: () => most, times: () => posts.map(({ at }) => at) }
}

it('a delivered notice is sent once, and nothing is logged', async () => {
  const { send, clock, posts, lines } = notifying(204)
  send('escalation')
  await clock.advance(60_000)
  expect(posts.map(({ what }) => what)).toEqual(['escalation of queue'])
  expect(lines).toEqual([])
  expect(clock.pending).toBe(0)
})

it.each([
  ['500', 500],
  ['429', 429],
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
])('after %s a notice is retried with growing pauses until it is delivered', async (_what, failure) => {
  const { send, clock, times, lines } = notifying(failure, failure, failure, 200)
  send('escalation')
  await clock.advance(60_000)
  expect(times()).toEqual([0, 1_000, 3_000, 6_000])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^watchdog: the escalation of queue did not reach https:\/\/hooks\.example \(.*\): retrying$/,
  )
})

it.each([
  [Object.assign(new Error('dial'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED: connection refused (dial)'],
  [new Error('odd of https://joe:hunter2@h'), 'odd of https://***@h'],
  [new Error(''), 'an error without a message'],
])('the log names the reason of a failed delivery: %s', async (failure, why) => {
  const { send, clock, lines } = notifying(failure, 200)
  send('escalation')
  await clock.advance(60_000)
  expect(lines).toEqual([expect.stringContaining(`https://hooks.example (${why}): retrying`)])
})

it('a notice is dropped after the last attempt', async () => {
  const { send, clock, times, lines } = notifying(503)
  send('escalation')
  await clock.advance(600_000)
  expect(times()).toEqual([0, 1_000, 3_000, 6_000])
  expect(lines[1]).toContain('(it answered 503): giving up after 4 attempts')
})

it.each([[302], [400], [404]])('a notice refused with %i is not retried', async (status) => {
  const { send, clock, times, lines } = notifying(status)
  send('escalation')
  await clock.advance(600_000)
  expect(times()).toEqual([0])
  expect(lines).toEqual([
    `watchdog: the escalation of queue did not reach https://hooks.example (it answered ${status}): giving up after 1 attempt`,
  ])
})

it('a notice without a response is aborted after its timeout', async () => {
  const { send, clock, times, posts, lines } = notifying('hang', 200)
  send('escalation')
  await clock.advance(60_000)
  expect(times()).toEqual([0, 11_000])
  expect(lines).toEqual([
    'watchdog: the escalation of queue did not reach https://hooks.example (no answer in 10000 ms): retrying',
  ])
  expect(posts[0]?.signal.aborted).toBe(true)
})

it('notices are sent one after the other, in order', async () => {
  const { send, clock, posts, most } = notifying(500, 200)
  send('escalation', 'a')
  send('escalation', 'b')
  send('recovery', 'a')
  await clock.advance(60_000)
  expect(posts.map(({ what }) => what)).toEqual([
    ...['escalation of a', 'escalation of a', 'escalation of b', 'recovery of a'],
  ])
  expect(most()).toBe(1)
})

it('a recovery is sent only when its escalation was delivered', async () => {
  const { send, clock, posts } = notifying(404, 200)
  send('escalation')
  send('recovery')
  await clock.advance(60_000)
  expect(posts).toHaveLength(1)
  send('escalation')
  send('recovery')
  await clock.advance(60_000)
  expect(posts.slice(1).map(({ what }) => what)).toEqual(['escalation of queue', 'recovery of queue'])
})

it('a full notice queue drops further notices with a warning', async () => {
  const { send, clock, posts, lines } = notifying('hang', 200)
  for (const component of ['a', 'b', 'c', 'd', 'e']) send('escalation', component)
  await clock.advance(60_000)
  expect(lines[0]).toBe(
    'watchdog: too many notices pending for https://hooks.example, the one of e is dropped',
  )
  expect(new Set(posts.map(({ what }) => what.slice(-1)))).toEqual(new Set(['a', 'b', 'c', 'd']))
})

it.each([
  ['while it is sent', 'hang', 1],
  ['while it waits to be tried again', 500, 1],
] as const)('stopped %s it lets go at once and is silent', async (_when, behaviour, tried) => {
  const { send, clock, posts, notifier, lines } = notifying(behaviour)
  send('escalation')
  send('recovery')
  await clock.advance(500)
  const before = lines.length
  notifier.stop()
  expect(posts[0]?.signal.aborted).toBe(behaviour === 'hang')
  await clock.advance(600_000)
  send('escalation')
  await clock.advance(600_000)
  expect(posts).toHaveLength(tried)
  expect(lines).toHaveLength(before)
  expect(clock.pending).toBe(0)
})
