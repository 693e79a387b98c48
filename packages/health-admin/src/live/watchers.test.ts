import { expect, test } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import type { EventStream } from './event-stream.ts'
import type { AdminState } from './state.ts'
import { createWatchers } from './watchers.ts'

const MOMENTS = { everyMs: 1_000, askMs: 1_000, settleMs: 50, firstMs: 500 }

function watching(ask: () => Promise<unknown> = async () => undefined) {
  const clock = manualClock()
  const listeners = new Map<string, () => void>()
  let asked = 0
  let looked = 0
  const lines: string[] = []
  const nothing = (): void => undefined
  const watchers = createWatchers({
    ...MOMENTS,
    health: {
      on: (name: string, listener: never) => {
        listeners.set(name, listener)
        return () => listeners.delete(name)
      },
    } as never,
    ask: () => {
      asked += 1
      return ask()
    },
    look: () => {
      looked += 1
      return { at: String(looked) } as AdminState
    },
    clock,
    logger: { debug: nothing, info: nothing, warn: nothing, error: (line) => lines.push(line) },
  })
  const stream = (): EventStream & { readonly got: string[] } => {
    const got: string[] = []
    return {
      got,
      send: (event, data) => got.push(`${event} ${data}`),
      end: (last) => got.push(`end ${last?.event ?? ''}`),
    }
  }
  return { watchers, clock, stream, lines, listeners, asked: () => asked, looked: () => looked }
}

test('the first state comes when the first run of the checks has ended', async () => {
  let end = (): void => undefined
  const { watchers, clock, stream } = watching(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const one = stream()
  watchers.add(one)
  await clock.advance(300)
  expect(one.got).toEqual([])
  end()
  await clock.advance(1)
  expect(one.got).toHaveLength(1)
})

test('a run that stalls holds the first state up for half a second, and no later one at all', async () => {
  const { watchers, clock, stream } = watching(() => new Promise(() => undefined))
  const one = stream()
  watchers.add(one)
  await clock.advance(500)
  expect(one.got).toHaveLength(1)
  await clock.advance(10_000)
  expect(one.got).toHaveLength(11)
})

test('who comes later has a state at once', async () => {
  const { watchers, clock, stream } = watching()
  watchers.add(stream())
  await clock.advance(100)
  const two = stream()
  watchers.add(two)
  expect(two.got).toHaveLength(1)
})

test('a change is told after a moment, once for all that changes together', async () => {
  const { watchers, clock, stream, listeners } = watching()
  const one = stream()
  watchers.add(one)
  await clock.advance(100)
  const before = one.got.length
  expect([...listeners.keys()]).toEqual(['phase', 'verdict', 'watchdog', 'heal'])
  for (const changed of listeners.values()) changed()
  await clock.advance(50)
  expect(one.got).toHaveLength(before + 1)
})

test('nothing is asked, looked at or listened to when the last one has gone', async () => {
  const { watchers, clock, stream, listeners, asked, looked } = watching()
  const [leaveOne, leaveTwo] = [watchers.add(stream()), watchers.add(stream())]
  await clock.advance(3_000)
  leaveOne()
  leaveOne()
  expect(listeners.size).toBe(4)
  leaveTwo()
  expect(listeners.size).toBe(0)
  const before = [asked(), looked()]
  await clock.advance(10_000)
  expect([asked(), looked()]).toEqual(before)
})

test('asking that breaks is a line, and goes on', async () => {
  const { watchers, clock, stream, lines, asked } = watching(async () => {
    throw new Error('boom')
  })
  watchers.add(stream())
  await clock.advance(2_100)
  expect(asked()).toBe(3)
  expect(lines[0]).toContain('admin: looking for watchers failed: Error: boom')
})

test('the end is told to everybody, and nothing after it', async () => {
  const { watchers, clock, stream } = watching()
  const one = stream()
  watchers.add(one)
  await clock.advance(100)
  watchers.end({ event: 'draining', data: '{}' })
  const told = one.got.length
  expect(one.got.at(-1)).toBe('end draining')
  await clock.advance(5_000)
  expect(one.got).toHaveLength(told)
  expect(watchers.size).toBe(0)
})

test('who comes after the last one has gone waits for a first run again', async () => {
  const { watchers, clock, stream } = watching(() => new Promise(() => undefined))
  const leave = watchers.add(stream())
  await clock.advance(1_000)
  leave()
  const next = stream()
  watchers.add(next)
  expect(next.got).toEqual([])
  await clock.advance(500)
  expect(next.got).toHaveLength(1)
})
