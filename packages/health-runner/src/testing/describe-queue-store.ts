import { afterEach, describe, expect, it } from 'vitest'
import type { QueueSettings } from '../settings/settings.ts'
import type { QueueAttempt, QueuedRequest, QueueStore } from '../vocabulary/queue-store.ts'
import { queueAnswer, queuedRequest } from './queued-request.ts'

interface StoreUnderTest {
  readonly store: QueueStore
  /** The wall clock that the store goes by, in milliseconds. */
  wall(): number
  /** Lets so many milliseconds go by. */
  advance(ms: number): Promise<void>
}

export type MakeStore = (
  settings: Pick<QueueSettings, 'max' | 'maxKeptBytes' | 'keepForMs'>,
) => Promise<StoreUnderTest>

const ROOMY = { max: 100, maxKeptBytes: 1_000_000, keepForMs: 60_000 }
const UNKNOWN = 'f'.repeat(32)

/** What every store of the queue has to do. Its times are short enough to be waited for. */
export function describeQueueStore(name: string, makeStore: MakeStore): void {
  describe(`a store of the queue: ${name}`, () => {
    const made: StoreUnderTest[] = []
    const make = async (settings: Partial<typeof ROOMY> = {}): Promise<StoreUnderTest> => {
      const under = await makeStore({ ...ROOMY, ...settings })
      made.push(under)
      return under
    }
    afterEach(async () => {
      for (const { store } of made.splice(0)) await store.close()
    })

    /** Adds one that has to be taken in. */
    const add = async (store: QueueStore, parts: Partial<QueuedRequest> = {}): Promise<QueuedRequest> => {
      const request = queuedRequest(parts)
      expect(await store.add(request)).toEqual({ kind: 'added', id: request.id })
      return request
    }
    /** The next attempt, which there has to be. */
    const take = async (store: QueueStore): Promise<QueueAttempt> => {
      const attempt = await store.take()
      if (attempt === undefined) throw new Error('nothing is due')
      return attempt
    }
    const finish = (store: QueueStore, id: string, body: string | Buffer = '', attempts = 1) =>
      store.finish(id, { ...queueAnswer(body), attempts })

    it('gives requests in order of acceptance, each once, and then none', async () => {
      const { store } = await make()
      const requests = [await add(store), await add(store), await add(store)]
      for (const { id } of requests) expect((await take(store)).request.id).toBe(id)
      expect(await store.take()).toBeUndefined()
    })

    it('gives a request as it came, byte for byte', async () => {
      const { store, wall } = await make()
      const request = queuedRequest({
        method: 'PATCH',
        target: '/a%2Fb?c=%00&d=/',
        headers: ['X-Twice', 'one', 'x-twice', 'two', 'X-Latin', 'caf\u00e9', 'X-Empty', ''],
        body: Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256)),
        acceptedAt: wall(),
        startBy: wall() + 50_000,
        noRetry: true,
        idempotencyKey: 'key',
        fingerprint: 'print',
      })
      await store.add(request)
      expect(await take(store)).toMatchObject({ request, attempt: 1, releasedTakes: 0 })
    })

    it('says that an attempt is the last that is due only when it is', async () => {
      const { store } = await make()
      await add(store)
      await add(store)
      expect((await take(store)).isLast).toBe(false)
      await take(store)
      expect(await store.take()).toBeUndefined()
    })

    it('keeps a result as it was recorded, byte for byte', async () => {
      const { store } = await make()
      const { id } = await add(store)
      await take(store)
      const headers = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Latin', 'caf\u00e9']
      const body = Buffer.from([0, 255, 13, 10, 128])
      expect(await store.result(id)).toBeUndefined()
      expect(await store.finish(id, { status: 418, headers, body, attempts: 3 })).toBe(true)
      expect(await store.result(id)).toEqual({ status: 418, headers, body, attempts: 3 })
    })

    it('never changes a recorded result', async () => {
      const { store } = await make()
      const { id } = await add(store)
      const attempt = await take(store)
      expect(await finish(store, id, 'first')).toBe(true)
      expect(await finish(store, id, 'second', 2)).toBe(false)
      expect(await store.cancel(id, queueAnswer('cancelled'))).toBe('completed')
      await store.retry(attempt, 0, true)
      expect(await store.take()).toBeUndefined()
      const result = await store.result(id)
      expect([result?.body.toString(), result?.attempts]).toEqual(['first', 1])
    })

    it('gives what is to be tried again when its delay is over, before what was accepted later', async () => {
      const { store, advance } = await make()
      const first = await add(store)
      const attempt = await take(store)
      const second = await add(store)
      const third = await add(store)
      await store.retry(attempt, 300, true)
      expect((await take(store)).request.id).toBe(second.id)
      await advance(400)
      expect(await take(store)).toMatchObject({ request: { id: first.id }, attempt: 2 })
      expect((await take(store)).request.id).toBe(third.id)
    })

    it('does not give it before', async () => {
      const { store, advance } = await make()
      await add(store)
      await store.retry(await take(store), 2_000, true)
      await advance(100)
      expect(await store.take()).toBeUndefined()
    })

    it('counts attempts that began, and those in a row that did not', async () => {
      const { store } = await make()
      const { id } = await add(store)
      const seen: [attempt: number, releasedTakes: number][] = []
      for (const hasBegun of [false, false, true, false, true]) {
        const attempt = await take(store)
        seen.push([attempt.attempt, attempt.releasedTakes])
        await store.retry(attempt, 0, hasBegun)
      }
      expect(seen).toEqual([
        [1, 0],
        [1, 1],
        [1, 2],
        [2, 0],
        [2, 1],
      ])
      expect(await store.counts()).toMatchObject({ retried: 1 })
      await store.cancel(id, queueAnswer())
      expect((await store.result(id))?.attempts).toBe(2)
    })

    it.each([true, false])('takes no word of an attempt that is over (begun: %s)', async (hasBegun) => {
      const { store } = await make()
      await add(store)
      const first = await take(store)
      await store.retry(first, 0, hasBegun)
      await take(store)
      // somebody did not hear that this had been done
      await store.retry(first, 0, hasBegun)
      expect(await store.take()).toBeUndefined()
    })

    it('gives a cancelled request to nobody', async () => {
      const { store } = await make()
      const { id } = await add(store)
      expect(await store.cancel(id, queueAnswer('cancelled', 499))).toBe('cancelled')
      expect(await store.take()).toBeUndefined()
      expect(await store.result(id)).toMatchObject({ status: 499, attempts: 0 })
      expect(await store.status(id)).toEqual({ status: 'COMPLETED' })
    })

    it('records at once that a running request is cancelled, and drops what its attempt brings', async () => {
      const { store } = await make()
      const { id } = await add(store)
      const attempt = await take(store)
      expect(await store.cancel(id, queueAnswer('cancelled', 499))).toBe('cancelled')
      expect(await store.cancel(id, queueAnswer('again', 499))).toBe('completed')
      expect(await finish(store, id, 'answer')).toBe(false)
      await store.retry(attempt, 0, true)
      expect(await store.take()).toBeUndefined()
      expect((await store.result(id))?.body.toString()).toBe('cancelled')
      expect((await store.result(id))?.attempts).toBe(1)
      expect(await store.counts()).toMatchObject({ waiting: 0, running: 0, completed: 1 })
    })

    it('tells where a request is', async () => {
      const { store } = await make()
      const [first, second, third] = [await add(store), await add(store), await add(store)]
      const place = (position: number) => ({ status: 'IN_QUEUE', position })
      expect(await store.status(first.id)).toEqual(place(0))
      expect(await store.status(third.id)).toEqual(place(2))
      const attempt = await take(store)
      expect(await store.status(first.id)).toEqual({ status: 'IN_PROGRESS' })
      expect(await store.status(second.id)).toEqual(place(0))
      await store.retry(attempt, 10_000, true)
      expect(await store.status(first.id)).toEqual(place(0))
      expect(await store.status(second.id)).toEqual(place(1))
      await store.cancel(first.id, queueAnswer())
      expect(await store.status(third.id)).toEqual(place(1))
      await take(store)
      await finish(store, second.id)
      expect(await store.status(second.id)).toEqual({ status: 'COMPLETED' })
    })

    it('knows nothing of what nobody added', async () => {
      const { store } = await make()
      expect(await store.status(UNKNOWN)).toBeUndefined()
      expect(await store.result(UNKNOWN)).toBeUndefined()
      expect(await store.cancel(UNKNOWN, queueAnswer())).toBe('unknown')
      expect(await finish(store, UNKNOWN)).toBe(false)
    })

    it('is full when so many wait or run; what has a result does not count', async () => {
      const { store } = await make({ max: 2 })
      const { id } = await add(store)
      await add(store)
      await take(store)
      expect(await store.add(queuedRequest())).toEqual({ kind: 'full' })
      await finish(store, id)
      await add(store)
      expect(await store.add(queuedRequest())).toEqual({ kind: 'full' })
    })

    it('is full when requests take all the room for bodies, and keeps its results then', async () => {
      const { store } = await make({ maxKeptBytes: 100_000 })
      const big = { body: Buffer.alloc(40_000) }
      const done = await add(store)
      await take(store)
      await finish(store, done.id, Buffer.alloc(5_000))
      await add(store, big)
      await add(store, big)
      expect(await store.add(queuedRequest(big))).toEqual({ kind: 'full' })
      expect(await store.result(done.id)).toBeDefined()
    })

    /** Results of 40 000 bytes each. */
    const record = async (store: QueueStore, count: number): Promise<string[]> => {
      const ids: string[] = []
      for (let made = 0; made < count; made += 1) {
        const { id } = await add(store)
        await take(store)
        await finish(store, id, Buffer.alloc(40_000))
        ids.push(id)
      }
      return ids
    }
    const areKept = async (store: QueueStore, ids: readonly string[]): Promise<boolean[]> =>
      Promise.all(ids.map(async (id) => (await store.result(id)) !== undefined))

    it('lets the oldest results that were fetched go where a request or a result needs room', async () => {
      const { store } = await make({ maxKeptBytes: 150_000 })
      const ids = await record(store, 3)
      for (const id of [ids[2], ids[1]]) await store.markFetched(id ?? '')
      ids.push(...(await record(store, 1)))
      expect(await areKept(store, ids)).toEqual([true, false, true, true])
      await add(store, { body: Buffer.alloc(40_000) })
      expect(await areKept(store, ids)).toEqual([true, false, false, true])
      expect(await store.status(ids[1] ?? '')).toBeUndefined()
      expect(await store.cancel(ids[1] ?? '', queueAnswer())).toBe('unknown')
    })

    it('is full, and keeps every result, where nobody has fetched one', async () => {
      const { store } = await make({ maxKeptBytes: 100_000 })
      const ids = await record(store, 2)
      expect(await store.add(queuedRequest({ body: Buffer.alloc(40_000) }))).toEqual({ kind: 'full' })
      expect(await areKept(store, ids)).toEqual([true, true])
      await store.markFetched(ids[0] ?? '')
      await store.markFetched(ids[0] ?? '')
      // what was fetched stays until its room is needed
      expect(await areKept(store, ids)).toEqual([true, true])
      await add(store, { body: Buffer.alloc(40_000) })
      expect(await areKept(store, ids)).toEqual([false, true])
    })

    it('gives nothing while results that nobody has fetched take more than there is, and tells when they do not', async () => {
      const { store, advance } = await make({ maxKeptBytes: 100_000, keepForMs: 500 })
      const waiting: QueuedRequest[] = []
      for (let count = 0; count < 5; count += 1) waiting.push(await add(store))
      const running = [await take(store), await take(store), await take(store)]
      let told = 0
      store.onReady(() => {
        told += 1
      })
      for (const { request } of running) await finish(store, request.id, Buffer.alloc(40_000))
      expect(await areKept(store, waiting.map(({ id }) => id).slice(0, 3))).toEqual([true, true, true])
      expect(await store.take()).toBeUndefined()
      expect(await store.status(waiting[3]?.id ?? '')).toEqual({ status: 'IN_QUEUE', position: 0 })
      await store.markFetched(UNKNOWN)
      await store.markFetched(waiting[4]?.id ?? '')
      expect([await store.take(), told]).toEqual([undefined, 0])
      await store.markFetched(waiting[1]?.id ?? '')
      expect(told).toBeGreaterThan(0)
      expect((await take(store)).request.id).toBe(waiting[3]?.id)
      await finish(store, waiting[3]?.id ?? '', Buffer.alloc(40_000))
      expect(await store.take()).toBeUndefined()
      const before = told
      await advance(600)
      expect(told).toBeGreaterThan(before)
      expect((await take(store)).request.id).toBe(waiting[4]?.id)
    })

    it('counts what is done and was not fetched; whoever cancels needs to fetch nothing', async () => {
      const { store } = await make()
      const ids = await record(store, 3)
      expect(await store.counts()).toMatchObject({ completed: 3, unfetched: 3 })
      await store.markFetched(ids[1] ?? '')
      await store.markFetched(ids[1] ?? '')
      const { id } = await add(store)
      await store.cancel(id, queueAnswer('cancelled', 499))
      expect(await store.counts()).toMatchObject({ completed: 4, unfetched: 2 })
    })

    it('keeps a result for its time', async () => {
      const { store, advance } = await make({ keepForMs: 500 })
      const { id } = await add(store)
      await advance(600)
      await take(store)
      await finish(store, id)
      await advance(100)
      expect(await store.result(id)).toBeDefined()
      await advance(500)
      expect(await store.result(id)).toBeUndefined()
      expect(await store.status(id)).toBeUndefined()
      expect(await store.cancel(id, queueAnswer())).toBe('unknown')
      expect(await store.counts()).toMatchObject({ completed: 0 })
    })

    it('knows a request again by its key, as long as it or its result is kept', async () => {
      const { store, advance } = await make({ keepForMs: 500 })
      const keyed = { idempotencyKey: 'key', fingerprint: 'one' }
      const { id } = await add(store, keyed)
      const again = () => store.add(queuedRequest(keyed))
      expect(await again()).toEqual({ kind: 'known', id })
      expect(await store.add(queuedRequest({ ...keyed, fingerprint: 'two' }))).toEqual({ kind: 'conflict' })
      expect(await store.add(queuedRequest({ ...keyed, idempotencyKey: 'Key' }))).toMatchObject({
        kind: 'added',
      })
      await take(store)
      expect(await again()).toEqual({ kind: 'known', id })
      await finish(store, id)
      expect(await again()).toEqual({ kind: 'known', id })
      await advance(600)
      expect(await again()).toMatchObject({ kind: 'added' })
    })

    it('knows a key also when it is full', async () => {
      const { store } = await make({ max: 1 })
      const keyed = { idempotencyKey: 'key', fingerprint: 'one' }
      const { id } = await add(store, keyed)
      expect(await store.add(queuedRequest(keyed))).toEqual({ kind: 'known', id })
    })

    it('forgets a key with the result that had to go', async () => {
      const { store } = await make({ maxKeptBytes: 50_000 })
      const keyed = { idempotencyKey: 'key', fingerprint: 'one' }
      const { id } = await add(store, keyed)
      await take(store)
      await finish(store, id, Buffer.alloc(30_000))
      await store.markFetched(id)
      await add(store, { body: Buffer.alloc(30_000) })
      expect(await store.add(queuedRequest({ ...keyed, fingerprint: 'two' }))).toMatchObject({
        kind: 'added',
      })
    })

    it('gives up what has not begun by its start deadline, and nothing else', async () => {
      const { store, wall, advance } = await make()
      const soon = { startBy: wall() + 200 }
      const retried = await add(store, soon)
      const putBack = await add(store, soon)
      const running = await add(store, soon)
      const late = await add(store, soon)
      const patient = await add(store)
      await store.retry(await take(store), 10_000, true)
      await store.retry(await take(store), 10_000, false)
      // in the line again in its turn, before the one that is late
      expect((await take(store)).request.id).toBe(running.id)
      expect(await store.expire(queueAnswer('', 504))).toEqual([])
      await advance(300)
      // also before anybody looked
      expect((await take(store)).request.id).toBe(patient.id)
      expect([...(await store.expire(queueAnswer('', 504)))].sort()).toEqual([putBack.id, late.id].sort())
      expect(await store.expire(queueAnswer('', 504))).toEqual([])
      expect(await store.result(late.id)).toMatchObject({ status: 504, attempts: 0 })
      expect(await store.status(retried.id)).toMatchObject({ status: 'IN_QUEUE' })
      expect(await store.status(running.id)).toEqual({ status: 'IN_PROGRESS' })
      expect(await store.take()).toBeUndefined()
    })

    it('tells when something may be due: one was added, or a delay is over', async () => {
      const { store, advance } = await make()
      let told = 0
      const off = store.onReady(() => {
        told += 1
      })
      await add(store)
      await advance(50)
      expect(told).toBe(1)
      await store.retry(await take(store), 200, true)
      await advance(50)
      expect(told).toBe(1)
      await advance(300)
      expect(told).toBeGreaterThan(1)
      const before = told
      await store.retry(await take(store), 0, true)
      await advance(50)
      expect(told).toBeGreaterThan(before)
      off()
      const last = told
      await add(store)
      await advance(50)
      expect(told).toBe(last)
    })

    it('counts what waits, runs and is done, and names what has no result', async () => {
      const { store } = await make()
      const first = await add(store, { method: 'PUT', target: '/first?a=1' })
      const second = await add(store, { target: '/second' })
      const third = await add(store)
      await take(store)
      await take(store)
      await finish(store, first.id)
      expect(await store.counts()).toEqual({
        waiting: 1,
        running: 1,
        completed: 1,
        unfetched: 1,
        retried: 0,
      })
      expect(await store.unfinished()).toEqual([
        { id: second.id, method: 'POST', target: '/second' },
        { id: third.id, method: 'POST', target: '/' },
      ])
    })

    it('says what it is', async () => {
      const { store } = await make()
      expect(store.kind).toMatch(/^(in|on) [\w ]+$/)
      expect(typeof store.isDurable).toBe('boolean')
    })
  })
}
