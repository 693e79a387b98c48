import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryKey, fitsEntry, readEntry, writeEntry } from './shared-entry.ts'

const NAMES = ['database', 'mail']
const TTL_MS = 15_000
const entry = { ttlMs: TTL_MS, ageMs: 20, checks: { database: 'usable', mail: 'usable' }, by: 'me' } as const
const read = (text: unknown, remainingMs: unknown = 12_000): ReturnType<typeof readEntry> =>
  readEntry({ text, remainingMs } as never, NAMES, TTL_MS, TTL_MS)

describe('a shared entry', () => {
  it('reads back with its age, which is what has passed of its life', () => {
    const expected = { sinceMs: 3_000, ageMs: 3_020, remainingMs: 12_000, failing: [], by: 'me' }
    expect(read(writeEntry(entry))).toEqual(expected)
  })

  it('names its checks in any order, also one that every object has', () => {
    const names = ['__proto__', '10', '2']
    const checks = Object.fromEntries([...names].reverse().map((name) => [name, 'usable' as const]))
    const text = writeEntry({ ...entry, checks })
    expect(readEntry({ text, remainingMs: 1 }, names, TTL_MS, TTL_MS)?.failing).toEqual([])
  })

  it.each(['unusable', 'timed_out'] as const)('with a check that is %s names it', (status) => {
    expect(read(writeEntry({ ...entry, checks: { database: 'usable', mail: status } }))?.failing).toEqual([
      'mail',
    ])
  })

  it('of a process that keeps entries longer counts by our own TTL', () => {
    const long = writeEntry({ ...entry, ttlMs: 60_000 })
    expect(read(long, 59_000)).toMatchObject({ sinceMs: 1_000, remainingMs: 14_000 })
    expect(read(long, 45_001)).toMatchObject({ remainingMs: 1 })
    expect(read(long, 45_000)).toBeUndefined()
  })

  it('of a process that keeps entries shorter ends with it', () => {
    const short = writeEntry({ ...entry, ttlMs: 1_000 })
    expect(read(short, 100)).toMatchObject({ sinceMs: 900, remainingMs: 100 })
  })

  const json = (change: object): string => JSON.stringify({ v: 1, ...entry, ...change })
  it.each([
    ['no text', undefined],
    ['garbage', '\u0000\uffff{'],
    ['nothing', ''],
    ['another program’s value', '"ok"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['another schema', json({ v: 2 })],
    ['no schema', json({ v: undefined })],
    ['no life', json({ ttlMs: undefined })],
    ['a life in words', json({ ttlMs: '15000' })],
    ['a life without an end', json({}).replace('15000', '1e999')],
    ['an age before its time', json({ ageMs: -1 })],
    ['an age of a day', json({ ageMs: 86_400_000 })],
    ['an age beyond the bound', json({ ageMs: TTL_MS + 1 })],
    ['an age without an end', json({ ageMs: 1e300 })],
    ['an age that is no number', json({ ageMs: '20' })],
    ['no checks', json({ checks: null })],
    ['a list of checks', json({ checks: ['usable', 'usable'] })],
    ['a check less', json({ checks: { database: 'usable' } })],
    ['a check more', json({ checks: { ...entry.checks, queue: 'usable' } })],
    ['another check', json({ checks: { database: 'usable', queue: 'usable' } })],
    ['a status of its own', json({ checks: { database: 'usable', mail: 'ok' } })],
    ['a status that every object has', json({ checks: { database: 'usable', mail: 'constructor' } })],
    ['far too much', `${json({})}${' '.repeat(65_536)}`],
  ])('with %s is ignored', (_what, text) => expect(read(text)).toBeUndefined())

  it.each([0, -1, -2, Number.NaN, Number.POSITIVE_INFINITY, 15_001, '12000', null, undefined])(
    'with %s ms left is ignored: nobody but us sets its end',
    (remainingMs) => expect(read(writeEntry(entry), remainingMs ?? null)).toBeUndefined(),
  )

  it('whatever the text holds: ignored, or within its life', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.double(), (text, remainingMs) => {
        const found = read(text, remainingMs)
        if (found !== undefined) expect(found.sinceMs).toBeLessThan(TTL_MS)
      }),
    )
    fc.assert(
      fc.property(
        fc.record({ v: fc.constant(1), ttlMs: fc.anything(), ageMs: fc.anything(), checks: fc.anything() }),
        fc.nat(20_000),
        (value, remainingMs) => {
          const found = read(JSON.stringify(value), remainingMs)
          if (found !== undefined) expect(found.sinceMs + found.remainingMs).toBeLessThanOrEqual(TTL_MS)
        },
      ),
    )
  })
})

it.each([
  [0, true],
  [700, true],
  [1_000, false],
])('an entry holds %i checks with the longest names: %s', (count, fits) => {
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(64, 'x'))
  expect(fitsEntry(names)).toBe(fits)
  const checks = Object.fromEntries(names.map((name) => [name, 'timed_out' as const]))
  const text = writeEntry({ ...entry, checks })
  expect(readEntry({ text, remainingMs: 12_000 }, names, TTL_MS, TTL_MS) !== undefined).toBe(fits)
})

describe('its key', () => {
  it('holds the namespace, the schema and the set of checks', () => {
    expect(entryKey('orders', NAMES)).toMatch(/^baldur:\{orders\}:verdict:1:[0-9a-z]+$/)
    const keys = [
      entryKey('orders', NAMES),
      entryKey('orders', ['database']),
      entryKey('orders', ['mail', 'database']),
      entryKey('billing', NAMES),
      entryKey('orders', []),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(entryKey('orders', [...NAMES])).toBe(keys[0])
  })
})
