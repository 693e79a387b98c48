import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { readRunnersSettings } from '../settings/read-settings.ts'
import { describeQueueStore } from '../testing/describe-queue-store.ts'
import { queueAnswer, queuedRequest } from '../testing/queued-request.ts'
import { createMemoryStore } from './memory-store.ts'

const SILENT = { warn: () => undefined }

describeQueueStore('memory', async (settings) => {
  const clock = manualClock()
  const store = createMemoryStore(settings, clock, SILENT)
  return { store, wall: () => clock.wall(), advance: (ms) => clock.advance(ms) }
})

const ROOMY = { max: 10, maxKeptBytes: 1_000_000, keepForMs: 60_000 }

describe('the store in memory', () => {
  it('says that it is, and does not outlive the process', () => {
    const store = createMemoryStore(ROOMY, manualClock(), SILENT)
    expect([store.kind, store.isDurable]).toEqual(['in memory', false])
  })

  it('has what is asked of any store, and each of it is asked for', () => {
    const own = createMemoryStore(ROOMY, manualClock(), SILENT)
    const refusal = (queue: object): unknown => {
      try {
        return readRunnersSettings({ command: ['node', 'app.js'], env: {}, queue: queue as never })
      } catch (error) {
        return error
      }
    }
    expect(refusal({ store: own })).not.toBeInstanceOf(Error)
    const functions = Object.keys(own).filter((name) => typeof Reflect.get(own, name) === 'function')
    expect(functions.length).toBeGreaterThan(10)
    for (const name of functions) {
      expect(String(refusal({ store: { ...own, [name]: undefined } })), name).toContain('queue.store: ')
    }
  })

  it('lets results go at their time with nobody asking', async () => {
    const clock = manualClock()
    const store = createMemoryStore(ROOMY, clock, SILENT)
    const { id } = queuedRequest()
    await store.add(queuedRequest({ id, body: Buffer.alloc(100) }))
    await store.finish(id, { ...queueAnswer('x'.repeat(50)), attempts: 1 })
    expect(store.keptBytes).toBeGreaterThan(50)
    await clock.advance(60_000)
    expect([store.keptBytes, clock.pending]).toEqual([0, 0])
  })

  it('shows no result that is too old, also where its timer is late', async () => {
    const clock = manualClock()
    const store = createMemoryStore(ROOMY, { ...clock, after: () => () => undefined }, SILENT)
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
    const store = createMemoryStore(ROOMY, { ...clock, wall: () => clock.wall() + step }, SILENT)
    await store.add(queuedRequest({ startBy: clock.wall() + step + 1_000 }))
    step = 3_600_000
    expect(await store.expire(queueAnswer())).toEqual([])
    step = -3_600_000
    await clock.advance(1_000)
    expect(await store.expire(queueAnswer())).toHaveLength(1)
  })

  it('keeps a new result also where open requests leave no room for it, until it was fetched', async () => {
    const store = createMemoryStore({ ...ROOMY, maxKeptBytes: 22_000 }, manualClock(), SILENT)
    const { id } = queuedRequest()
    await store.add(queuedRequest({ id }))
    await store.add(queuedRequest({ body: Buffer.alloc(18_000) }))
    await store.finish(id, { ...queueAnswer(Buffer.alloc(10_000)), attempts: 1 })
    expect((await store.result(id))?.body).toHaveLength(10_000)
    expect(await store.add(queuedRequest())).toEqual({ kind: 'full' })
    await store.markFetched(id)
    expect(await store.add(queuedRequest())).toMatchObject({ kind: 'added' })
    expect(await store.result(id)).toBeUndefined()
    expect(store.keptBytes).toBeLessThanOrEqual(22_000)
  })

  it.each([
    [0, 'added', true],
    [1, 'full', false],
  ])(
    'has room to the last byte: %d too many, and a request is %s and one in line given out: %s',
    async (more, kind, isGiven) => {
      const lines: string[] = []
      const own = { warn: (line: string) => void lines.push(line) }
      const store = createMemoryStore({ ...ROOMY, maxKeptBytes: 20_000 }, manualClock(), own)
      const first = queuedRequest()
      await store.add(first)
      await store.add(queuedRequest())
      // with 1 025 for the one that waits, and 1 035 around the body of the other's result
      const body = Buffer.alloc(20_000 - 2 * 1_025 - 1_035 + more)
      await store.finish(first.id, { ...queueAnswer(body), attempts: 1 })
      expect(await store.add(queuedRequest())).toMatchObject({ kind })
      const second = queuedRequest()
      const other = createMemoryStore({ ...ROOMY, maxKeptBytes: 20_000 - 1_025 }, manualClock(), own)
      for (const each of [first, second]) await other.add(each)
      await other.finish(first.id, { ...queueAnswer(body), attempts: 1 })
      expect((await other.take())?.request.id).toBe(isGiven ? second.id : undefined)
      // of each store one
      expect(lines).toHaveLength(more * 2)
    },
  )

  it('says that results go early and that there is no room, each once a minute at most, with how often', async () => {
    const clock = manualClock()
    const lines: string[] = []
    const store = createMemoryStore({ ...ROOMY, maxKeptBytes: 22_000 }, clock, {
      warn: (line) => void lines.push(line),
    })
    const record = async (): Promise<string> => {
      const { id } = queuedRequest()
      await store.add(queuedRequest({ id }))
      await store.finish(id, { ...queueAnswer(Buffer.alloc(15_000)), attempts: 1 })
      return id
    }
    for (let count = 0; count < 4; count += 1) await store.markFetched(await record())
    expect(lines).toEqual([
      expect.stringMatching(/^queue: fetched results evicted early, .*queue\.maxKeptBytes was reached: 1$/),
    ])
    await record()
    for (const _ of [1, 2, 3]) await store.add(queuedRequest({ body: Buffer.alloc(10_000) }))
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^queue: unfetched results .*queue\.maxKeptBytes.* 1 /)
    await clock.advance(59_000)
    expect(lines).toHaveLength(2)
    await clock.advance(1_000)
    expect(lines.slice(2).sort()).toEqual([
      expect.stringMatching(/^queue: fetched results evicted early, .*: 3$/),
      expect.stringMatching(/^queue: unfetched results .* 2 /),
    ])
    await clock.advance(120_000)
    expect([lines.length, clock.pending]).toEqual([4, 0])
  })

  it('has one timer, however many wait, and none when it is closed', async () => {
    const clock = manualClock()
    const store = createMemoryStore(ROOMY, clock, SILENT)
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
