import { isAlive, until } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { enqueue, headerOf, type Started, start } from './runners.ts'

const QUICK = { requestTimeoutMs: 400, killAfterMs: 500, queue: { backoffMs: 20, maxBackoffMs: 100 } }

/** Its only process, once another one has taken the place of `old`. */
async function successorOf(started: Started, old: number): Promise<number> {
  const [pid = 0] = await until(
    async () => {
      const pids = await started.ready()
      return pids.length === 1 && pids[0] !== old ? pids : undefined
    },
    { timeoutMs: 15_000, message: 'another process' },
  )
  await until(() => !isAlive(old), { message: 'the end of the ill one' })
  return pid
}

interface Row {
  readonly act: string
  readonly direct: number | 'reset'
  readonly type?: string
  /** How many times the queue begins it, where the second attempt answers 200. */
  readonly begun: 1 | 2
  readonly queued: number
  readonly runner: 'stays' | 'replaced'
  readonly reason?: string
}

const ROWS: readonly Row[] = [
  { act: '200', direct: 200, begun: 1, queued: 200, runner: 'stays' },
  { act: '204', direct: 204, begun: 1, queued: 204, runner: 'stays' },
  { act: '302', direct: 302, begun: 1, queued: 302, runner: 'stays' },
  { act: '400', direct: 400, begun: 1, queued: 400, runner: 'stays' },
  { act: '404', direct: 404, begun: 1, queued: 404, runner: 'stays' },
  { act: '429', direct: 429, begun: 1, queued: 429, runner: 'stays' },
  { act: '500', direct: 500, begun: 1, queued: 500, runner: 'stays' },
  { act: '502', direct: 502, begun: 1, queued: 502, runner: 'stays' },
  { act: '504', direct: 504, begun: 2, queued: 200, runner: 'stays' },
  { act: '503', direct: 503, begun: 2, queued: 200, runner: 'replaced', reason: 'answered_503' },
  // what is said of the retry changes nothing else
  { act: '503+0', direct: 503, begun: 1, queued: 503, runner: 'replaced', reason: 'answered_503' },
  { act: '503-1', direct: 503, begun: 2, queued: 200, runner: 'replaced', reason: 'answered_503' },
  ...(
    [
      ['break', 503, 'runner_disconnected', 'connection_broken'],
      ['garbage', 503, 'runner_server_error', 'connection_broken'],
      ['exit', 503, 'runner_disconnected', undefined],
      ['part', 'reset', undefined, 'connection_broken'],
      ['chunk', 'reset', undefined, 'connection_broken'],
      ['stall', 504, 'request_timeout', 'timed_out'],
      ['drip', 'reset', undefined, 'timed_out'],
    ] as const
  ).map(
    ([act, direct, type, reason]): Row => ({
      act,
      direct,
      ...(type === undefined ? {} : { type }),
      begun: 2,
      queued: 200,
      runner: 'replaced',
      ...(reason === undefined ? {} : { reason }),
    }),
  ),
]

async function expectReplaced(started: Started, old: number, { reason }: Row): Promise<void> {
  await successorOf(started, old)
  if (reason !== undefined) expect(started.events.map(({ reason: why }) => why)).toContain(reason)
}

async function ask(started: Started, row: Row): Promise<void> {
  const before = started.begun().length
  const answered = started.request(`/do?acts=${encodeURIComponent(row.act)}`)
  if (row.direct === 'reset') await expect(answered).rejects.toThrow()
  else {
    const answer = await answered
    expect([row.act, answer.status]).toEqual([row.act, row.direct])
    expect(headerOf(answer, 'x-baldur-error-type')).toEqual(row.type === undefined ? [] : [row.type])
    if (row.type !== undefined) {
      expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), error_type: row.type })
    }
    // it had been handed to a runner
    expect(headerOf(answer, 'retry-after')).toEqual([])
  }
  expect(started.begun()).toHaveLength(before + 1)
}

async function queue(started: Started, row: Row): Promise<void> {
  const path = `/do?acts=${encodeURIComponent(row.act)},200`
  const { id, result } = await enqueue(started, path, { body: 'the body' })
  const answer = await result()
  expect([row.act, answer.status]).toEqual([row.act, row.queued])
  const begun = started.begun().filter(([other]) => other === id)
  expect(begun.map(([, attempt]) => attempt)).toEqual(row.begun === 1 ? ['1'] : ['1', '2'])
  if (row.queued !== 204) {
    expect(JSON.parse(answer.body)).toMatchObject({
      id,
      attempt: row.begun,
      method: 'POST',
      url: path,
      body: 'the body',
    })
  }
  expect((await result()).body).toBe(answer.body)
}

/** Started with one runner, whose process it gives. */
async function startOne(): Promise<readonly [started: Started, pid: number]> {
  const started = await start(QUICK)
  const [pid = 0] = await started.ready()
  return [started, pid]
}
const STAYS = ROWS.filter(({ runner }) => runner === 'stays')
const LEAVES = ROWS.filter(({ runner }) => runner === 'replaced')

describe('each row of the table', () => {
  test('is here', () => expect([STAYS.length, LEAVES.length]).toEqual([9, 10]))

  test('direct: 2xx, 3xx, 4xx, 504 and other 5xx are passed on, and the runner stays', async () => {
    const [started, pid] = await startOne()
    for (const row of STAYS) await ask(started, row)
    expect(await started.ready()).toEqual([pid])
    expect(started.events.filter(({ to }) => !['idle', 'running'].includes(to))).toEqual([])
  })

  test('queued: of 2xx, 3xx, 4xx, 504 and other 5xx a 504 alone is retried, and the runner stays', async () => {
    const [started, pid] = await startOne()
    for (const row of STAYS) await queue(started, row)
    expect(await started.ready()).toEqual([pid])
    expect(started.events.filter(({ to }) => !['idle', 'running'].includes(to))).toEqual([])
  })

  test.each(LEAVES)('direct: $act gives $direct, and the runner is replaced', async (row) => {
    const [started, pid] = await startOne()
    await ask(started, row)
    await expectReplaced(started, pid, row)
  })

  test.each(LEAVES)('queued: $act is retried, and the runner is replaced', async (row) => {
    const [started, pid] = await startOne()
    await queue(started, row)
    await expectReplaced(started, pid, row)
  })
})

describe('the header about a retry', () => {
  test('forces or forbids it on every status, changes nothing else, and is stripped', async () => {
    const started = await start({ ...QUICK, runners: 2 })
    const STATUSES = ['200', '302', '404', '500', '503', '504']
    for (const status of STATUSES) {
      for (const name of ['+', '-']) {
        for (const value of ['0', '1']) {
          const act = `${status}${name}${value}`
          const inUrl = encodeURIComponent(act)
          const { id, result } = await enqueue(started, `/do?acts=${inUrl},201`)
          const answer = await result()
          expect([act, answer.status]).toEqual([act, value === '1' ? 201 : Number(status)])
          expect(started.begun().filter(([other]) => other === id)).toHaveLength(value === '1' ? 2 : 1)
          const direct = await started.request(`/do?acts=${inUrl}`)
          expect([act, direct.status]).toEqual([act, Number(status)])
          for (const { rawHeaders } of [answer, direct]) {
            expect(
              rawHeaders.map(([other]) => other.toLowerCase()).filter((other) => other.includes('retry')),
            ).toEqual([])
          }
        }
      }
    }
  })
})
