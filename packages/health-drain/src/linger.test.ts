import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../health-core/src/machinery/manual-clock.ts'
import { drainUnderTest, endServices, get } from './testing/drain-under-test.ts'

afterEach(endServices)

/** Makes each turn of the event loop a long one, in which a connection may have come: the listener stays open. */
function longTurns(): () => void {
  const pass = (): void => {
    const endsAt = performance.now() + 0.3
    while (performance.now() < endsAt);
    next = setImmediate(pass)
  }
  let next = setImmediate(pass)
  return () => clearImmediate(next)
}

test('idle connections linger from the real closing of the listener, also when it closes later than planned', async () => {
  const clock = manualClock()
  const { drain, server, connect } = await drainUnderTest((_request, response) => response.end('x'), {
    ...{ clock, shutdownDelayMs: 400, lingerMs: 150, requestTimeoutMs: 2_000 },
  })
  const [asking, silent] = [await connect(), await connect()]
  for (const connection of [asking, silent]) {
    connection.send(get('/'))
    await connection.read()
  }
  const ended = drain.start()
  const stop = longTurns()
  await clock.advance(400)
  // the planned linger is over, the listener still open
  await clock.advance(300)
  expect([server.listening, drain.stats().connections]).toEqual([true, 2])
  while (server.listening) await clock.advance(10)
  stop()
  await clock.advance(100)
  asking.send(get('/'))
  expect((await asking.read()).status).toBe(200)
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  await clock.advance(100)
  expect(await silent.closed()).toBe('end')
  expect(drain.phase).toBe('draining')
  while (!isEnded) await clock.advance(100)
})
