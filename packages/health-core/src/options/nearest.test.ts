import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const KNOWN = ['databases', 'checks', 'prefix', 'paths', 'readiness', 'verdict', 'redis', 'env', 'clock']

describe('the word that was meant', () => {
  const ROWS: readonly [word: string, meant: string | undefined][] = [
    ['database', 'databases'],
    ['datbases', 'databases'],
    ['databaess', 'databases'],
    ['DATABASES', 'databases'],
    ['check', 'checks'],
    ['readyness', 'readiness'],
    ['redys', 'redis'],
    ['Env', 'env'],
    ['path', 'paths'],
    ['timeouts', undefined],
    ['port', undefined],
    ['evn', 'env'],
    ['ebm', undefined],
    ['en', 'env'],
    ['database_url', undefined],
    ['', undefined],
    ['\u0000', undefined],
  ]

  it('has 17 rows', () => expect(ROWS).toHaveLength(17))

  it.each(ROWS)('%j: %s', (word, meant) => expect(nearest(word, KNOWN)).toBe(meant))

  it('is none when nothing is known', () => expect(nearest('a', [])).toBeUndefined())
})

describe('for any word', () => {
  it('is one of the known words or none, and a known word is its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (word) => {
        expect([...KNOWN, undefined]).toContain(nearest(word, KNOWN))
      }),
    )
    for (const word of KNOWN) expect(nearest(word, KNOWN)).toBe(word)
  })

  it('one letter changed, added or left out of a long word is still understood', () => {
    const words = ['databases', 'readiness', 'refreshIntervalMs', 'BALDUR_SQL_DSN']
    fc.assert(
      fc.property(
        fc.constantFrom(...words),
        fc.nat(),
        fc.constantFrom('', 'x', 'xy'),
        (word, at, instead) => {
          const i = at % word.length
          const mistyped = `${word.slice(0, i)}${instead}${word.slice(i + 1)}`
          expect(nearest(mistyped, words)).toBe(word)
        },
      ),
    )
  })

  it('a megabyte takes no time', () => {
    const start = performance.now()
    nearest('a'.repeat(1_048_576), KNOWN)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
