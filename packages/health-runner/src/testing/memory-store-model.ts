import fc from 'fast-check'
import { expect } from 'vitest'
import { type ManualClock, manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { createMemoryStore, type MemoryStore } from '../queue/memory-store.ts'
import type { QueueAttempt, QueueResult } from '../vocabulary/queue-store.ts'
import { queueAnswer, queuedRequest } from './queued-request.ts'

const MAX = 5
const MAX_BYTES = 10_000
const KEEP_MS = 1_000
/** What an empty request or result takes: the entry, and for a request its target of one character. */
const REQUEST_BYTES = 1_025
/** The entry, and a header of 8 and 3 characters. */
const RESULT_BYTES = 1_035

/** What the model knows of one request. */
interface Known {
  readonly id: string
  readonly key: string | undefined
  readonly fingerprint: string
  readonly bytes: number
  readonly startBy: number
  state: 'waiting' | 'running' | 'done' | 'gone'
  begun: number
  releasedTakes: number
  dueAt: number
  /** The attempt that is under way. */
  given?: QueueAttempt
  result?: { body: string; attempts: number; at: number; order: number; isFetched: boolean }
}

/** One list, looked through each time: as unlike the store as can be. */
class Model {
  readonly all: Known[] = []
  recorded = 0
  now = 0

  those(...states: Known['state'][]): Known[] {
    return this.all.filter(({ state }) => states.includes(state))
  }
  get kept(): number {
    return this.bytesOf(this.those('done'))
  }
  /** Of what can not be let go. */
  get unfetched(): number {
    return this.bytesOf(this.those('done').filter(({ result }) => result?.isFetched === false))
  }
  get isHeld(): boolean {
    return this.unfetched > MAX_BYTES
  }
  /** Of these results, and of all that is open. */
  bytesOf(done: readonly Known[]): number {
    const open = this.those('waiting', 'running').reduce((sum, { bytes }) => sum + bytes, 0)
    return done.reduce((sum, { result }) => sum + RESULT_BYTES + (result?.body.length ?? 0), open)
  }
  /** The oldest that were fetched go until there are so many bytes left for others. */
  makeRoom(bytes: number): void {
    const fetched = this.those('done')
      .filter(({ result }) => result?.isFetched === true)
      .sort((a, b) => (a.result?.order ?? 0) - (b.result?.order ?? 0))
    for (const old of fetched) if (this.kept + bytes > MAX_BYTES) old.state = 'gone'
  }
  forgetOld(): void {
    for (const each of this.those('done'))
      if ((each.result?.at ?? 0) + KEEP_MS <= this.now) each.state = 'gone'
  }
  add(known: Known): 'added' | 'known' | 'conflict' | 'full' {
    this.forgetOld()
    const same = this.those('waiting', 'running', 'done').find(
      ({ key }) => known.key !== undefined && key === known.key,
    )
    if (same !== undefined) return same.fingerprint === known.fingerprint ? 'known' : 'conflict'
    const open = this.those('waiting', 'running')
    if (open.length >= MAX || this.unfetched + known.bytes > MAX_BYTES) return 'full'
    this.makeRoom(known.bytes)
    this.all.push(known)
    return 'added'
  }
  isOverdue({ state, begun, startBy }: Known): boolean {
    return state === 'waiting' && begun === 0 && startBy <= this.now
  }
  due(): Known[] {
    if (this.isHeld) return []
    return this.those('waiting').filter((each) => each.dueAt <= this.now && !this.isOverdue(each))
  }
  record(known: Known, body: string, attempts: number): void {
    known.state = 'done'
    known.begun = attempts
    this.recorded += 1
    known.result = { body, attempts, at: this.now, order: this.recorded, isFetched: false }
    this.makeRoom(0)
  }
  fetched(known: Known): void {
    if (known.result === undefined || known.state !== 'done') return
    known.result.isFetched = true
    this.makeRoom(0)
  }
}

const anyOf = fc.nat(30)
const bytes = fc.constantFrom(0, 100, 2_000, 4_000)
const COMMAND = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 2 }),
      fingerprint: fc.constantFrom('1', '2'),
      bytes,
      startIn: fc.option(fc.constantFrom(1, 50, 300), { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('retry' as const),
      which: anyOf,
      delayMs: fc.constantFrom(0, 1, 40, 400),
      hasBegun: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('finish' as const), which: anyOf, bytes, hasBegun: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fetched' as const), which: anyOf }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: anyOf }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 49, 300, 1_000) }),
  },
)
type Command = typeof COMMAND extends fc.Arbitrary<infer Each> ? Each : never

class Run {
  readonly model = new Model()
  readonly clock: ManualClock = manualClock(0)
  readonly store: MemoryStore = createMemoryStore(
    { max: MAX, maxKeptBytes: MAX_BYTES, keepForMs: KEEP_MS },
    this.clock,
    { warn: () => undefined },
  )
  /** All attempts that were ever given out, old ones too. */
  readonly attempts: QueueAttempt[] = []
  readonly seen = new Map<string, QueueResult>()
  told = 0

  constructor() {
    this.store.onReady(() => {
      this.told += 1
    })
  }

  /** Whoever found nothing is told when there is something again. */
  async do(command: Command): Promise<void> {
    const { told, model } = this
    const wasHeld = model.isHeld
    await this.change(command)
    model.forgetOld()
    await this.store.counts()
    if (wasHeld && !model.isHeld) expect(this.told).toBeGreaterThan(told)
  }

  async change(command: Command): Promise<void> {
    const { model, store } = this
    const known = 'which' in command ? model.all[command.which % Math.max(1, model.all.length)] : undefined
    switch (command.do) {
      case 'add': {
        const { key, fingerprint, startIn } = command
        const startBy = startIn === undefined ? undefined : this.clock.wall() + startIn
        const request = queuedRequest({
          body: Buffer.alloc(command.bytes),
          fingerprint,
          startBy,
          idempotencyKey: key,
        })
        const expected = model.add({
          id: request.id,
          key,
          fingerprint,
          bytes: REQUEST_BYTES + command.bytes,
          startBy: startIn === undefined ? Infinity : model.now + startIn,
          state: 'waiting',
          begun: 0,
          releasedTakes: 0,
          dueAt: model.now,
        })
        const before = this.told
        const outcome = await store.add(request)
        expect(outcome.kind).toBe(expected)
        if (expected === 'added') expect(this.told).toBe(before + 1)
        if (outcome.kind === 'known') {
          expect(model.all.find(({ id }) => id === outcome.id)).toMatchObject({ key, fingerprint })
        }
        return
      }
      case 'take': {
        const [expected, ...others] = model.due()
        const attempt = await store.take()
        expect(attempt?.request.id).toBe(expected?.id)
        if (attempt === undefined || expected === undefined) return
        // nobody has it, and it has no result
        expect(expected.state).toBe('waiting')
        expect(this.seen.has(expected.id)).toBe(false)
        expected.state = 'running'
        expected.begun += 1
        const { begun, releasedTakes } = expected
        expect(attempt).toMatchObject({ attempt: begun, releasedTakes })
        if (attempt.isLast) expect(others).toEqual([])
        expected.given = attempt
        this.attempts.push(attempt)
        return
      }
      case 'retry': {
        // any attempt there ever was: what is over changes nothing
        const attempt = this.attempts[command.which % Math.max(1, this.attempts.length)]
        if (attempt === undefined) return
        const of = model.all.find(({ id }) => id === attempt.request.id)
        await store.retry(attempt, command.delayMs, command.hasBegun)
        if (of?.state !== 'running' || of.given !== attempt) return
        of.state = 'waiting'
        of.releasedTakes = command.hasBegun ? 0 : of.releasedTakes + 1
        if (!command.hasBegun) of.begun -= 1
        of.dueAt = model.now + command.delayMs
        return
      }
      case 'finish': {
        if (known === undefined) return
        const isOpen = known.state === 'running' || known.state === 'waiting'
        const attempts = Math.max(0, command.hasBegun ? known.begun : known.begun - 1)
        const body = `${known.id} ${'.'.repeat(command.bytes)}`
        expect(await store.finish(known.id, { ...queueAnswer(body), attempts })).toBe(isOpen)
        if (isOpen) model.record(known, body, attempts)
        return
      }
      case 'cancel': {
        if (known === undefined) return
        model.forgetOld()
        const outcomes = { waiting: 'cancelled', running: 'cancelled', done: 'completed', gone: 'unknown' }
        expect(await store.cancel(known.id, queueAnswer('cancelled', 499))).toBe(outcomes[known.state])
        if (known.state !== 'running' && known.state !== 'waiting') return
        model.record(known, 'cancelled', known.begun)
        if (known.result !== undefined) known.result.isFetched = true
        return
      }
      case 'fetched': {
        if (known === undefined) return
        await store.markFetched(known.id)
        model.fetched(known)
        return
      }
      case 'expire': {
        const missed = model.all.filter((each) => model.isOverdue(each))
        const ids = await store.expire(queueAnswer('late', 504))
        expect([...ids].sort()).toEqual(missed.map(({ id }) => id).sort())
        const inOrder = ids.flatMap((id) => missed.filter((each) => each.id === id))
        for (const each of inOrder) model.record(each, 'late', 0)
        return
      }
      case 'wait': {
        const before = this.told
        const wereDue = model.due().length
        model.now += command.ms
        await this.clock.advance(command.ms)
        if (model.due().length > wereDue) expect(this.told).toBeGreaterThan(before)
      }
    }
  }

  /** All that can be asked of the store is what the model says. */
  async compare(): Promise<void> {
    const { model, store } = this
    model.forgetOld()
    const waiting = model.those('waiting')
    const counts = await store.counts()
    expect(counts).toEqual({
      waiting: waiting.length,
      running: model.those('running').length,
      completed: model.those('done').length,
      unfetched: model.those('done').filter(({ result }) => result?.isFetched === false).length,
      retried: model.all.filter(({ begun }) => begun > 1).length,
    })
    expect(store.keptBytes).toBe(model.kept)
    // what ran already brings its answer, whatever the rest takes
    expect(store.keptBytes).toBeLessThanOrEqual(MAX_BYTES + MAX * (RESULT_BYTES + 4_033))
    expect((await store.unfinished()).map(({ id }) => id)).toEqual(
      model.those('waiting', 'running').map(({ id }) => id),
    )
    for (const known of model.all) {
      const status = {
        waiting: { status: 'IN_QUEUE', position: waiting.indexOf(known) },
        running: { status: 'IN_PROGRESS' },
        done: { status: 'COMPLETED' },
        gone: undefined,
      }[known.state]
      expect(await store.status(known.id)).toEqual(status)
      const result = await store.result(known.id)
      expect(result?.body.toString()).toBe(known.state === 'done' ? known.result?.body : undefined)
      if (result === undefined) continue
      expect(result.attempts).toBe(known.result?.attempts)
      // the first one, for ever
      expect(result).toBe(this.seen.get(known.id) ?? result)
      this.seen.set(known.id, result)
    }
  }
}

/** Asks a store in memory and a plain list the same in random orders, and compares. */
export async function compareWithList(orders: {
  readonly numRuns: number
  readonly seed?: number
}): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(COMMAND, { maxLength: 60, size: 'max' }), async (commands) => {
      const run = new Run()
      for (const command of commands) {
        await run.do(command)
        await run.compare()
      }
      // nothing is lost: all that has no result yet is given out again and can be finished
      await run.do({ do: 'expire' })
      for (const attempt of run.attempts) await run.store.retry(attempt, 0, true)
      await run.clock.advance(500)
      for (const { id } of run.model.all) await run.store.markFetched(id)
      const open = (await run.store.unfinished()).map(({ id }) => id)
      await run.store.expire(queueAnswer('late', 504))
      const ended = new Set<string>()
      for (let next = await run.store.take(); next !== undefined; next = await run.store.take()) {
        ended.add(next.request.id)
        expect(await run.store.finish(next.request.id, { ...queueAnswer(), attempts: next.attempt })).toBe(
          true,
        )
        await run.store.markFetched(next.request.id)
      }
      for (const id of open) if (!ended.has(id)) expect((await run.store.result(id))?.status).toBe(504)
      expect(await run.store.counts()).toMatchObject({ waiting: 0, running: 0 })
      await run.store.close()
      expect(run.clock.pending).toBe(0)
    }),
    orders,
  )
}
