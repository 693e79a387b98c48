import { rawRequest } from 'health-testkit'
import { expect, it } from 'vitest'
import { fleetUnderTest } from '../testing/fleet-under-test.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

const SIGNS: readonly RequestOutcome[] = [
  { kind: 'answered', status: 200 },
  { kind: 'answered', status: 503 },
  { kind: 'timed_out' },
  { kind: 'broken', type: 'runner_disconnected' },
]

it('while runners die and are ended one after the other, each request reaches the runner that was taken', async () => {
  const { fleet, idle, notes, clock, names, events, event } = await fleetUnderTest('listen', {
    runners: 3,
    killAfterMs: 1_000,
    startTimeoutMs: 1_000_000,
  })
  await idle(3)
  let turn = 0
  while (new Set(events.map(({ name }) => name)).size < 9 || turn < 60) {
    turn += 1
    clock.jump(2_000)
    const lease = fleet.take(turn % 2 === 0 ? 'direct' : 'queued')
    if (lease === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      continue
    }
    const { name, port, pid } = lease.runner
    const { status } = await rawRequest({ port, path: `/${turn}` })
    expect(status).toBe(200)
    expect(notes('requests').at(-1)).toBe(`${name} /${turn}`)
    if (turn % 7 === 0) {
      process.kill(pid, 'SIGKILL')
      lease.end({ kind: 'broken', type: 'runner_disconnected' })
      // the jumps of this test leave a dying process no time
      await event(name, 'gone')
    } else lease.end(SIGNS[turn % SIGNS.length] ?? { kind: 'inconclusive' })
    const { ended, allowed } = fleet.snapshot().guard
    expect(ended).toBeLessThanOrEqual(allowed)
  }
  await idle(3)
  // ready before its first request, and of each place one that is not leaving
  const firstRunning = events.filter(({ to }) => to === 'running').map(({ from }) => from)
  expect(new Set(firstRunning)).toEqual(new Set(['idle']))
  expect(new Set(names().map((name) => name.split('.')[0])).size).toBe(3)
})
