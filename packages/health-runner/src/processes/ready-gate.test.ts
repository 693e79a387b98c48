import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { freePort, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { type ManualClock, manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { FIXED } from '../settings/defaults.ts'
import { openGate } from './ready-gate.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function gateUnderTest(startTimeoutMs = 10_000) {
  const manual = manualClock()
  /** How often another look was planned. */
  let planned = 0
  const clock: ManualClock = {
    ...manual,
    get pending() {
      return manual.pending
    },
    after: (ms, fire) => {
      if (ms === FIXED.portPollMs) planned += 1
      return manual.after(ms, fire)
    },
  }
  const port = await freePort()
  const seen: string[] = []
  const foreign = { is: false }
  const gate = openGate({
    ...{ port, startTimeoutMs, clock },
    isForeign: async () => foreign.is,
    onSetup: () => seen.push('setup'),
    onReady: () => seen.push('ready'),
    onFailed: (reason, detail) => seen.push(`${reason}: ${detail}`),
  })
  ends.push(gate.close)
  const listen = async () => {
    const server = createServer((socket) => socket.destroy())
    await once(server.listen(port, '127.0.0.1'), 'listening')
    ends.push(() => server.close())
    expect((server.address() as AddressInfo).port).toBe(port)
  }
  /** One look at the port, to its end. */
  const look = async () => {
    const [seenBefore, plannedBefore] = [seen.length, planned]
    await clock.advance(FIXED.portPollMs)
    await until(() => seen.length > seenBefore || planned > plannedBefore)
  }
  return {
    clock,
    gate,
    seen,
    listen,
    look,
    foreign,
    say: (say: 'setup' | 'ready') => gate.hear({ name: '', say }),
  }
}

describe('the gate of a start', () => {
  it('opens when the port is open for the second time, and nothing was said', async () => {
    const { listen, look, seen, clock } = await gateUnderTest()
    await look()
    await listen()
    await look()
    expect(seen).toEqual([])
    await look()
    expect(seen).toEqual(['ready'])
    expect(clock.pending).toBe(0)
  })

  it('stays shut when the first word comes right after the port', async () => {
    const { listen, look, seen, say } = await gateUnderTest()
    await listen()
    await look()
    say('setup')
    for (let time = 1; time <= 5; time += 1) await look()
    expect(seen).toEqual(['setup'])
    say('ready')
    await look()
    expect(seen).toEqual(['setup', 'ready'])
  })

  it('does not open with a word alone', async () => {
    const { listen, look, seen, say } = await gateUnderTest()
    say('ready')
    await look()
    await look()
    expect(seen).toEqual([])
    await listen()
    await look()
    expect(seen).toEqual(['ready'])
  })

  it('does not open for a port that is another program’s, unless the runner says that it is its own', async () => {
    const { listen, look, seen, say, foreign } = await gateUnderTest()
    foreign.is = true
    await listen()
    for (let time = 1; time <= 3; time += 1) await look()
    expect(seen).toEqual([])
    say('ready')
    await look()
    expect(seen).toEqual(['ready'])
  })

  it('takes back nothing that was said: setup after ready is no setup', async () => {
    const { listen, look, seen, say } = await gateUnderTest()
    say('ready')
    say('setup')
    await listen()
    await look()
    expect(seen).toEqual(['ready'])
  })

  it('hears nothing any more once it is over', async () => {
    const { clock, gate, seen, say } = await gateUnderTest(1_000)
    await clock.advance(1_000)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatch(/^start_timed_out: its port \d+ had not opened after 1000 ms$/)
    say('ready')
    gate.hear({ name: '', say: 'failed', error: 'late' })
    await clock.advance(10_000)
    expect(seen).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
})
