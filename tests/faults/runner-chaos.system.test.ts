import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, until } from 'health-testkit'
import { expect, test } from 'vitest'
import { enqueue, start } from './runners.ts'

const REQUESTS = 2_000

/** Runs it for each of so many, twenty at a time. */
async function forEach(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await run(next - 1)
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
}

test('2 000 queued requests while one of three runners is killed, stalls, is ill or breaks off, every 2 s: each has one result, which never changes', async () => {
  const started = await start({
    runners: 3,
    requestTimeoutMs: 1_000,
    killAfterMs: 500,
    // ten attempts last longer than the start of a replacement on a busy machine
    queue: { backoffMs: 50, maxBackoffMs: 4_000 },
  })
  const { request, illFile } = started
  const ids: string[] = []
  const accepting = forEach(REQUESTS, async (index) => {
    const { id } = await enqueue(started, '/do?acts=work:12', { body: String(index) })
    ids[index] = id
  })

  const faults: readonly ((pid: number) => void)[] = [
    (pid) => process.kill(pid, 'SIGKILL'),
    (pid) => process.kill(pid, 'SIGSTOP'),
    (pid) => writeFileSync(`${illFile}-${pid}`, ''),
    // it ends the connections of the requests that are under way, after their heads
    (pid) => process.kill(pid, 'SIGUSR2'),
  ]
  const struck: number[] = []
  const left = async (): Promise<number> => {
    const { waiting, running } = (await started.snapshot()).queue
    return waiting + running
  }
  do {
    await sleep(2_000)
    const [pid] = (await started.ready()).filter((other) => !struck.includes(other))
    if (pid === undefined) continue
    faults[struck.length % faults.length]?.(pid)
    struck.push(pid)
  } while ((await left()) > 0)
  await accepting
  await until(async () => (await left()) === 0, { timeoutMs: 30_000, message: 'the end of the queue' })

  expect(new Set(ids).size).toBe(REQUESTS)
  const results: string[] = []
  await forEach(REQUESTS, async (index) => {
    const { status, body } = await request(`/queue/requests/${ids[index]}`)
    expect([status, JSON.parse(body)]).toMatchObject([200, { id: ids[index], body: String(index) }])
    results[index] = body
  })
  // an attempt that was thought lost may still have ended: what it said changed nothing
  await sleep(1_200)
  await forEach(REQUESTS, async (index) => {
    expect((await request(`/queue/requests/${ids[index]}`)).body).toBe(results[index])
  })

  const begun = started.begun()
  expect(new Set(begun.map(([id]) => id)).size).toBe(REQUESTS)
  const { retried, completed } = (await started.snapshot()).queue
  expect(completed).toBe(REQUESTS)
  expect(struck.length).toBeGreaterThanOrEqual(faults.length)
  // the faults were felt
  expect(retried).toBeGreaterThan(0)
  console.log(
    `${REQUESTS} queued requests, ${struck.length} faults: ${begun.length} beginnings, ${retried} requests begun more than once`,
  )
  await started.close()
  await until(() => !struck.some(isAlive), { message: 'the end of every process that was struck' })
  for (const pid of struck) rmSync(`${illFile}-${pid}`, { force: true })
}, 120_000)
