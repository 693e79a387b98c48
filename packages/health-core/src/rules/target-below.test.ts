import fc from 'fast-check'
import { expect, it } from 'vitest'
import { targetBelow } from './target-below.ts'

const ROWS: readonly [url: string, target: string, below: string | undefined][] = [
  ['/health/live', '/health/live', '/health/live'],
  ['/health/live', '/api/health/live', '/health/live'],
  ['/health/live', '/api/health/live/', '/health/live/'],
  ['/health/live', '/api/health/live?a=1', '/health/live?a=1'],
  ['/health', '/api/health?nocache=true&x=/health', '/health?nocache=true&x=/health'],
  ['', '/api', ''],
  ['', '', ''],
  ['/health/live', '/health/liveness', undefined],
  ['/health/live', '/x?/health/live', undefined],
  ['/health/live', 'http://h/health/live', undefined],
  ['/health/live', '', undefined],
]

it('targetBelow has 11 rows', () => expect(ROWS).toHaveLength(11))

it.each(ROWS)('targetBelow(%j, %j) is %j', (url, target, below) => {
  expect(targetBelow(url, target)).toBe(below)
})

it('what targetBelow returns begins with the url and ends the target, whatever stands before', () => {
  const segments = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '%', '.'), minLength: 1 }), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(segments, segments, fc.constantFrom('', '/', '?', '/?a=/b'), (before, own, after) => {
      const [start, url] = [before, own].map((parts) => parts.map((part) => `/${part}`).join(''))
      fc.pre(url !== '')
      expect(targetBelow(url ?? '', `${start}${url}${after}`)).toBe(`${url}${after}`)
    }),
  )
})
