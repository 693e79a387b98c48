import { expect, test } from 'vitest'
import { iso, stateOf, T0 } from '../testing/state.ts'
import { EMPTY, type Memory, remember, see } from './memory.ts'
import { timeline } from './timeline.ts'

const down = { from: 'healthy', to: 'unhealthy', cause: 'database', at: iso(10_000) } as const
const up = { from: 'unhealthy', to: 'healthy', cause: 'database', at: iso(22_000) } as const
const lines = (memory: Memory, now: number): readonly string[] =>
  timeline(memory, T0 + now).map(({ at, move, text, lasted = '' }) =>
    `${at - T0} ${move?.to ?? '-'} ${text} ${lasted}`.trim(),
  )

test('moves are shown newest first, each until the next, the newest until now', () => {
  const memory = remember(EMPTY, stateOf({ history: [down, up] }))
  expect(lines(memory, 82_000)).toEqual([
    '22000 healthy after database 1 min so far',
    '10000 unhealthy database lasted 12 s',
  ])
})

test('what the page saw stands between them and has no length', () => {
  const memory = see(remember(EMPTY, stateOf({ history: [down, up] })), {
    at: T0 + 15_000,
    kind: 'lost',
    text: 'Lost the server',
  })
  expect(lines(memory, 82_000)[1]).toBe('15000 - Lost the server')
})

test('a move is kept once, however often it is told', () => {
  const once = remember(EMPTY, stateOf({ history: [down] }))
  expect(remember(once, stateOf({ history: [down, up] })).moves).toEqual([down, up])
})

test('another process behind the same address is told, what was before it kept and ended', () => {
  const { instance } = stateOf()
  const before = remember(EMPTY, stateOf({ history: [down] }))
  const restarted = stateOf({ instance: { ...instance, pid: 2, started_at: iso(30_000) } })
  const memory = remember(before, restarted)
  expect(lines(memory, 82_000)).toEqual([
    '30000 - Another process answers: 2, after 1',
    '10000 unhealthy database lasted 20 s',
  ])
  expect(remember(memory, restarted).sightings).toHaveLength(1)
})

test.each([
  [{ started_at: iso(30_000) }, 'Another process answers: 1, the same number, started anew'],
  [{ pid: 2, version: '2.0.0' }, 'Another process answers: 2, after 1, version 2.0.0'],
  [{ host: 'h2', pid: 2 }, 'Another process answers: 2, after 1 on h2, before it h1'],
])('the restart says what is other: %o', (given, text) => {
  const { instance } = stateOf()
  const memory = remember(remember(EMPTY, stateOf()), stateOf({ instance: { ...instance, ...given } }))
  expect(memory.sightings.map((one) => one.text)).toEqual([text])
})

test('a page that is open for days keeps a bounded number of lines', () => {
  let memory = EMPTY
  for (let n = 0; n < 300; n++) {
    memory = remember(memory, stateOf({ history: [{ ...down, at: iso(n) }] }))
    memory = see(memory, { at: n, kind: 'lost', text: 'x' })
  }
  expect([memory.moves.length, memory.sightings.length]).toEqual([100, 100])
  expect(memory.moves.at(-1)?.at).toBe(iso(299))
})
