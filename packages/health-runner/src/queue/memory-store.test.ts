import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { describeQueueStore } from '../testing/describe-queue-store.ts'
import { queueAnswer, queuedRequest } from '../testing/queued-request.ts'
import { createMemoryStore } from './memory-store.ts'

describeQueueStore('memory', async (settings) => {
  const clock = manualClock()
  const store = createMemoryStore(settings, clock)
  return { store, wall: () => clock.wall(), advance: (ms) => clock.advance(ms) }
})

const ROOMY = { max: 10, maxKeptBytes: 1_000_000, keepForMs: 60_000 }

describe('the store in memory', () => {
  it('says that it is, and does not outlive the process', () => {
    const store = createMemoryStore(ROOMY, manualClock())
    expect([store.kind, store.isDurable]).toEqual(['in memory', false])
  })

  it('lets results go at their time with nobody asking', async () => {
    const clock = manualClock()
    const store = createMemoryStore(ROOMY, clock)
    const { id } = queuedRequest()
    await store.add(queuedRequest({ id, body: Buffer.alloc(100) }))
    await store.finish(id, { ...queueAnswer('x'.repeat(50)), attempts: 1 })
    expect(store.keptBytes).toBeGreaterThan(50)
    await clock.advance(60_000)
    expect([store.keptBytes, clock.pending]).toEqual([0, 0])
  })

  it('shows no result that is too old, also where its timer is late', async () => {
    const clock = manualClock()
    const store = createMemoryStore(ROOMY, { ...clock, after: () => () => undefined })
    const record = async (): Promise<string> => {
      const request = queuedRequest({ idempotencyKey: 'key' })
      expect(await store.add(request)).toMatchObject({ kind: 'added' })
      await store.finish(request.id, { ...queueAnswer(), attempts: 1 })
      await clock.advance(60_000)
      return request.id
    }
    expect(await store.result(await record())).toBeUndefined()
    expect(await store.status(await record())).toBeUndefined()
    expect(await store.cancel(await record(), queueAnswer())).toBe('unknown')
    await record()
    expect(await store.counts()).toMatchObject({ completed: 0 })
    await record()
    await record()
  })

  it('goes by its own clock when the wall steps', async () => {
    const clock = manualClock()
    let step = 7_000
    const store = createMemoryStore(ROOMY, { ...clock, wall: () => clock.wall() + step })
    await store.add(queuedRequest({ startBy: clock.wall() + step + 1_000 }))
    step = 3_600_000
    expect(await store.expire(queueAnswer())).toEqual([])
    step = -3_600_000
    await clock.advance(1_000)
    expect(await store.expire(queueAnswer())).toHaveLength(1)
  })

  it('keeps the newest result also where open requests leave no room for it', async () => {
    const store = createMemoryStore({ ...ROOMY, maxKeptBytes: 22_000 }, manualClock())
    const { id } = queuedRequest()
    await store.add(queuedRequest({ id }))
    await store.add(queuedRequest({ body: Buffer.alloc(18_000) }))
    await store.finish(id, { ...queueAnswer(Buffer.alloc(10_000)), attempts: 1 })
    expect((await store.result(id))?.body).toHaveLength(10_000)
    await store.add(queuedRequest())
    expect(await store.result(id)).toBeUndefined()
    expect(store.keptBytes).toBeLessThanOrEqual(22_000)
  })

  it('has one timer, however many wait, and none when it is closed', async () => {
    const clock = manualClock()
    const store = createMemoryStore(ROOMY, clock)
    for (let count = 0; count < 5; count += 1) {
      await store.add(queuedRequest())
      const attempt = await store.take()
      if (attempt !== undefined) await store.retry(attempt, 1_000 * (count + 1), true)
    }
    expect(clock.pending).toBe(1)
    await store.close()
    expect(clock.pending).toBe(0)
  })
})
