import { rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, until } from 'health-testkit'
import { expect, test } from 'vitest'
import { type Started, start } from './runners.ts'

/** Who has been ended for what it showed. */
const ended = ({ events }: Started): readonly string[] => [
  ...new Set(events.filter(({ reason }) => reason === 'answered_503').map(({ name }) => name)),
]

test('all runners answer 503 at once: one of three is ended, answers are passed on, and a good answer frees the guard', async () => {
  const started = await start({ runners: 3, killAfterMs: 500 })
  const held: unknown[] = []
  started.on('guard', (event) => held.push(event))
  const before = await started.ready()
  writeFileSync(started.illFile, '')
  for (let i = 0; i < 30; i++) expect((await started.request('/do')).status).toBe(503)
  await until(async () => (await started.ready()).length === 3, { timeoutMs: 15_000 })
  for (let i = 0; i < 30; i++) expect((await started.request('/do')).status).toBe(503)
  expect(ended(started)).toHaveLength(1)
  expect(before.filter(isAlive)).toHaveLength(2)
  expect(held.length).toBeGreaterThan(0)
  expect(started.lines.filter((line) => line.includes('it is held')).length).toBeGreaterThan(0)
  // what they all need is back
  rmSync(started.illFile)
  for (let i = 0; i < 6; i++) expect((await started.request('/do')).status).toBe(200)
  await sleep(1_500)
  expect(ended(started)).toHaveLength(1)
  expect(before.filter(isAlive)).toHaveLength(2)
  expect((await started.snapshot()).fleet).toMatchObject({ guard: { ended: 0, allowed: 1 } })
  // and now one alone is ill
  const [pid = 0] = before.filter(isAlive)
  writeFileSync(`${started.illFile}-${pid}`, '')
  await until(async () => (await started.request('/do')).status === 503)
  await until(() => !isAlive(pid), { message: 'the end of the one that is ill' })
})

test('2 000 requests over kept-alive connections with runners that close idle ones: no healthy runner is ended', async () => {
  const started = await start({ runners: 2, runnerEnv: { RUNNER_IDLE_MS: '1' } })
  const before = await started.ready()
  const agent = new Agent({ keepAlive: true, maxSockets: 10 })
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get({ port: started.port, agent, path: '/do' }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      }).on('error', reject)
    })
  const statuses: (number | undefined)[] = []
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let i = 0; i < 200; i++) {
        statuses.push(await ask())
        // about as long as a runner keeps an idle connection
        if (i % 3 === 0) await sleep(1)
      }
    }),
  )
  agent.destroy()
  expect(statuses).toHaveLength(2_000)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await started.ready()).toEqual(before)
})

test('an 8 MiB body under a 503 arrives whole', async () => {
  for (let i = 0; i < 3; i++) {
    const started = await start({ runners: 1, killAfterMs: 500 })
    const { status, body } = await started.request('/do?acts=big503')
    expect([status, body.length]).toEqual([503, 8 * 1024 * 1024])
    await until(() => ended(started).length === 1)
  }
})
