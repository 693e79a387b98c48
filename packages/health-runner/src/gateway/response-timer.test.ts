import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { systemClock } from '@baldur/health-core/internal'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { createResponseTimer } from './response-timer.ts'

const patient = () => {
  const clock = manualClock()
  let over = 0
  const responseTimer = createResponseTimer(clock, 1_000, () => {
    over += 1
  })
  return { clock, responseTimer, over: () => over }
}

describe('response timer', () => {
  it('ends once after its time', async () => {
    const { clock, responseTimer, over } = patient()
    responseTimer.start()
    await clock.advance(999)
    expect(over()).toBe(0)
    await clock.advance(1)
    expect(over()).toBe(1)
    await clock.advance(10_000)
    expect(over()).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('begins anew each time, with one timer', async () => {
    const { clock, responseTimer, over } = patient()
    for (let turn = 0; turn < 10; turn++) {
      responseTimer.start()
      expect(clock.pending).toBe(1)
      await clock.advance(900)
    }
    expect(over()).toBe(0)
    await clock.advance(100)
    expect(over()).toBe(1)
  })

  it('is not over before what came while this process stood still has been read', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [socket] = (await once(server, 'connection')) as [Socket]
    let over = 0
    const responseTimer = createResponseTimer(systemClock, 50, () => {
      over += 1
    })
    const heard = once(client, 'data')
    client.once('data', () => responseTimer.stop())
    responseTimer.start()
    // behind it the loop looks at its timers first, and then at its sockets
    setImmediate(() => {
      socket.write('it is in the kernel now')
      const until = performance.now() + 200
      while (performance.now() < until);
    })
    await heard
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(over).toBe(0)
    client.destroy()
    server.close()
  })

  it('goes on when what came was not all', async () => {
    const manual = manualClock()
    let over = 0
    // it comes between the timer and the look that follows
    const clock = {
      ...manual,
      after: (ms: number, fire: () => void) =>
        manual.after(ms, () => {
          if (manual.now() < 3_000) setImmediate(() => responseTimer.start())
          fire()
        }),
    }
    const responseTimer = createResponseTimer(clock, 1_000, () => {
      over += 1
    })
    responseTimer.start()
    await manual.advance(1_999)
    expect(over).toBe(0)
    await manual.advance(1)
    expect(over).toBe(1)
    expect(manual.pending).toBe(0)
  })

  it('is not used up by rest', async () => {
    const { clock, responseTimer, over } = patient()
    responseTimer.start()
    await clock.advance(900)
    responseTimer.stop()
    expect(clock.pending).toBe(0)
    await clock.advance(10_000)
    expect(over()).toBe(0)
    responseTimer.start()
    await clock.advance(999)
    expect(over()).toBe(0)
    await clock.advance(1)
    expect(over()).toBe(1)
  })
})
