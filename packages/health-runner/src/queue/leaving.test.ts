import { rawConnection, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { type QueueUnderTest, queueUnderTest, type Runner } from '../testing/queue-under-test.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'

let under: QueueUnderTest
let held: ((status?: number) => void)[] = []
afterEach(() => {
  held = []
  return under.close()
})

const hold: Runner = (_, response) => void held.push((status = 200) => response.writeHead(status).end('ok'))
/** Whether it has ended by the next turns of the event loop. */
const isOver = async (work: Promise<void>): Promise<boolean> => {
  let is = false
  void work.then(() => {
    is = true
  })
  await new Promise((resolve) => setTimeout(resolve, 30))
  return is
}

describe('a queue that leaves', () => {
  it('takes nothing more, finishes what it has, and is idle then', async () => {
    under = await queueUnderTest(hold)
    const ids = [await under.add('/1'), await under.add('/2')]
    await until(() => held.length === 1)
    under.queue.stopAccepting()
    const idle = under.queue.idle()
    const refused = await under.ask('POST', '/queue/x')
    expect([refused.status, refused.header('retry-after')]).toEqual([503, '1'])
    expect(JSON.parse(refused.body)).toMatchObject({ error_type: 'runner_scheduling_failure' })
    expect(await isOver(idle)).toBe(false)
    held.shift()?.()
    await until(() => held.length === 1)
    expect(await isOver(idle)).toBe(false)
    expect(await under.queue.unfinished()).toEqual([{ id: ids[1], method: 'POST', target: '/2' }])
    held.shift()?.()
    await idle
    expect(await under.queue.unfinished()).toEqual([])
    for (const id of ids) expect((await under.ask('GET', `/queue/requests/${id}`)).body).toBe('ok')
  })

  it('finishes also what waits for room that results take which nobody has fetched: they are lost with it anyway', async () => {
    const answer: Runner = (_, response) => void response.end('x'.repeat(5_000))
    under = await queueUnderTest(answer, {
      isStarted: false,
      settings: { maxKeptBytes: 6_500, maxAnswerBytes: 5_000 },
    })
    for (const path of ['/1', '/2', '/3']) await under.add(path)
    under.queue.start()
    await until(async () => (await under.queue.counts()).completed === 2)
    const idle = under.queue.idle()
    expect(await isOver(idle)).toBe(false)
    expect(await under.queue.counts()).toMatchObject({ waiting: 1, running: 0, completed: 2 })
    under.queue.stopAccepting()
    await idle
    expect(await under.queue.counts()).toMatchObject({ waiting: 0, completed: 3, unfetched: 3 })
  })

  it('refuses a request whose body was under way', async () => {
    under = await queueUnderTest(hold)
    const connection = await rawConnection({ port: under.port })
    connection.send('POST /queue/x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na')
    await under.ask('GET', '/queue/requests/x')
    under.queue.stopAccepting()
    await under.queue.idle()
    connection.send('bc')
    expect((await connection.read()).status).toBe(503)
    expect(await under.queue.counts()).toMatchObject({ waiting: 0, running: 0 })
    connection.close()
  })

  it('is idle at once where there is nothing', async () => {
    under = await queueUnderTest(hold)
    await under.queue.idle()
    expect(await under.queue.counts()).toEqual({
      waiting: 0,
      running: 0,
      completed: 0,
      unfetched: 0,
      retried: 0,
    })
  })

  it('waits for a retry, and not for a runner that has been given a cancelled request', async () => {
    under = await queueUnderTest(hold, { settings: { backoffMs: 50 } })
    const id = await under.add('/1')
    await until(() => held.length === 1)
    held.shift()?.(503)
    const idle = under.queue.idle()
    await until(() => held.length === 1)
    expect(await isOver(idle)).toBe(false)
    await under.ask('PUT', `/queue/requests/${id}/cancel`)
    await idle
    expect(under.fleet.inUse).toBe(1)
  })

  it('is idle when the last one has missed its start', async () => {
    const clock = manualClock()
    under = await queueUnderTest(hold, { clock, isStarted: false })
    under.fleet.concurrency = 0
    under.queue.start()
    await under.add('/1', { 'x-baldur-start-timeout': '1' })
    const idle = under.queue.idle()
    await clock.advance(1_300)
    await idle
  })

  it('waits for a request that is being put into the store', async () => {
    let goOn = (): void => undefined
    const waited = new Promise<void>((resolve) => {
      goOn = resolve
    })
    under = await queueUnderTest(hold, {
      store: (usual) => ({
        ...usual,
        add: async (request) => {
          await waited
          return usual.add(request)
        },
      }),
    })
    const adding = under.add('/1')
    await under.ask('GET', '/queue/requests/x')
    under.queue.stopAccepting()
    const idle = under.queue.idle()
    expect(await isOver(idle)).toBe(false)
    goOn()
    await adding
    await until(() => held.length === 1)
    held.shift()?.()
    await idle
  })

  it('asks again where the last one ended while it asked', async () => {
    let answer = (): void => undefined
    under = await queueUnderTest(hold, {
      store: (usual) => ({
        ...usual,
        counts: async () => {
          const counts = await usual.counts()
          await new Promise<void>((resolve) => {
            answer = resolve
          })
          return counts
        },
      }),
    })
    await under.add('/1')
    await until(() => held.length === 1)
    const idle = under.queue.idle()
    held.shift()?.()
    await until(() => under.fleet.inUse === 0)
    await under.ask('GET', '/queue/requests/x')
    answer()
    const again = setInterval(() => answer(), 5)
    await idle
    clearInterval(again)
  })

  it('asks again where it cannot be known whether it is idle', async () => {
    const clock = manualClock()
    let isDown = true
    under = await queueUnderTest(hold, {
      clock,
      store: (usual) => ({
        ...usual,
        counts: async () => {
          if (isDown) throw new Error('down')
          return usual.counts()
        },
      }),
    })
    const idle = under.queue.idle()
    expect(await isOver(idle)).toBe(false)
    isDown = false
    await clock.advance(1_000)
    await idle
  })

  it('leaves what waits to others where the store outlives it', async () => {
    under = await queueUnderTest(hold, { store: (usual): QueueStore => ({ ...usual, isDurable: true }) })
    await under.add('/1')
    await under.add('/2')
    await until(() => held.length === 1)
    under.queue.stopAccepting()
    const idle = under.queue.idle()
    expect(await isOver(idle)).toBe(false)
    held.shift()?.()
    await idle
    expect(under.seen).toHaveLength(1)
    expect(await under.queue.counts()).toMatchObject({ waiting: 1, running: 0, completed: 1 })
  })

  it('lets go of everything when it is closed, and of those who wait for it', async () => {
    const clock = manualClock()
    under = await queueUnderTest(hold, { clock })
    await under.add('/1')
    await under.add('/2')
    await until(() => held.length === 1)
    const idle = under.queue.idle()
    await under.queue.close()
    await idle
    expect([under.fleet.listeners, clock.pending]).toEqual([0, 0])
    held.shift()?.()
    await until(() => under.fleet.inUse === 0)
    under.fleet.tell()
    expect(under.seen).toHaveLength(1)
    expect((await under.ask('POST', '/queue/x')).status).toBe(503)
  })

  describe('while it asks what is due', () => {
    const closeWhileAsking = async (then: (usual: QueueStore) => ReturnType<QueueStore['take']>) => {
      const clock = manualClock()
      let goOn = (): void => undefined
      let isAsked = false
      const waited = new Promise<void>((resolve) => {
        goOn = resolve
      })
      under = await queueUnderTest(hold, {
        clock,
        isStarted: false,
        store: (usual) => ({
          ...usual,
          take: async () => {
            isAsked = true
            await waited
            return then(usual)
          },
        }),
      })
      await under.add('/1')
      under.queue.start()
      await until(() => isAsked)
      await under.queue.close()
      goOn()
      await until(() => under.fleet.inUse === 0)
      await until(async () => (await under.queue.counts()).waiting === 1)
      expect([under.seen.length, clock.pending]).toEqual([0, 0])
    }

    it('puts back what it is given when it has been closed', () => closeWhileAsking((usual) => usual.take()))

    it('asks no more when it is refused after it has been closed', () =>
      closeWhileAsking(() => Promise.reject(new Error('closed'))))
  })
})
