import { isAlive, until } from 'health-testkit'
import { describe, expect, it } from 'vitest'
import { supervisorUnderTest } from '../testing/supervisor-under-test.ts'

const isGone = (pid: number | undefined): Promise<unknown> =>
  until(() => pid !== undefined && !isAlive(pid), { timeoutMs: 15_000, message: `process ${pid} to be gone` })

// they mostly wait for what is deaf
describe.concurrent('when the supervisor is killed with SIGKILL', () => {
  it('in mid-life, no child, grandchild or stray survives it, nor the keeper and the folder', async () => {
    const { app, processes, keeper, nothingLeft, notes } = await supervisorUnderTest('family', 2)
    await Promise.all([app.waitForLine(/^1\.1 idle/), app.waitForLine(/^2\.1 idle/)])
    const kept = keeper()
    expect(processes()).toHaveLength(6)
    app.signal('SIGKILL')
    await nothingLeft()
    await isGone(kept)
    const family = notes('family').flatMap((line) => line.split(' ').map(Number))
    expect(family).toHaveLength(4)
    expect(family.filter(isAlive)).toEqual([])
    // those that can were let end in order
    expect(notes('starts').length).toBe(2)
  })

  it.each([/^started/, /^1\.1 starting/, /^3\.1 starting/])(
    'in mid-start, at %s, nothing survives it',
    async (moment) => {
      const { app, keeper, nothingLeft } = await supervisorUnderTest('deaf', 4)
      await app.waitForLine(moment)
      const kept = keeper()
      app.signal('SIGKILL')
      await nothingLeft()
      await isGone(kept)
    },
  )

  it('after its keeper was killed twice, with a stopped runner, nothing survives it', async () => {
    const { app, processes, keeper, nothingLeft, notes } = await supervisorUnderTest('bare', 2)
    const [, pid] = await app.waitForLine(/^1\.1 idle (\d+)/)
    await app.waitForLine(/^2\.1 idle/)
    const first = keeper()
    process.kill(first ?? 0, 'SIGKILL')
    await app.waitForLine(/the keeper ended \(SIGKILL\) and is started again in 0 ms/)
    await isGone(first)
    const second = await until(keeper)
    process.kill(second, 'SIGKILL')
    await isGone(second)
    const third = await until(keeper)
    expect(processes()).toHaveLength(2)
    const bare = notes('bare').map(Number)
    expect(bare.filter(isAlive)).toHaveLength(2)
    process.kill(Number(pid), 'SIGSTOP')
    app.signal('SIGKILL')
    await nothingLeft()
    await isGone(third)
    expect(bare.filter(isAlive)).toEqual([])
  })
})

describe.concurrent('the keeper', () => {
  it('does not end with a signal to it, and ends with a supervisor that stops in order', async () => {
    const { app, keeper, nothingLeft, notes } = await supervisorUnderTest('slow', 1)
    await app.waitForLine(/^1\.1 idle/)
    const kept = keeper()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(kept ?? 0, signal)
    // a signal may take its time
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(keeper()).toBe(kept)
    app.signal('SIGTERM')
    await app.waitForLine(/^stopped/)
    expect(notes('exits')).toEqual(['1.1 0'])
    await nothingLeft()
    await isGone(kept)
    // nothing keeps it alive any more
    expect((await app.exited).code).toBe(0)
    expect(app.stdout.join()).not.toContain('the keeper ended')
  })
})
