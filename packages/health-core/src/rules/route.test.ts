import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROBES, type Probe } from '../vocabulary/probe.ts'
import { route } from './route.ts'

const PATHS: ReadonlyMap<string, Probe> = new Map<string, Probe>([
  ['/health', 'health'],
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
  ['/health/startup', 'startup'],
  ['/health/pool', 'pool'],
  ['/health/ping', 'ping'],
])
const PREFIXES = ['', '/api/baldur', '/a.b(c)+'] as const

describe('every probe', () => {
  const forms = ['', '/', '?', '/?', '?verbose', '/?a=1&b=2', '?a=/health/live', '?a?b'] as const
  const rows = PREFIXES.flatMap((prefix) =>
    [...PATHS].flatMap(([path, probe]) =>
      forms.map((form) => ({ prefix, probe, target: `${prefix}${path}${form}` })),
    ),
  )

  it('has a row for every prefix, probe and form', () => {
    expect(rows).toHaveLength(3 * PROBES.length * 8)
    expect(new Set(rows.map(({ target }) => target)).size).toBe(rows.length)
  })

  it.each(rows)('$target under "$prefix" asks $probe', ({ prefix, probe, target }) => {
    expect(route(target, prefix, PATHS)).toEqual({ probe, nocache: false })
  })
})

describe('nocache', () => {
  const rows: readonly [query: string, nocache: boolean][] = [
    ['?nocache=true', true],
    ['/?nocache=true', true],
    ['?a=1&nocache=true', true],
    ['?nocache=true&a=1', true],
    ['?a=1&nocache=true&b=2', true],
    ['?nocache=false&nocache=true', true],
    ['?&nocache=true&', true],
    ['?nocache', false],
    ['?nocache=', false],
    ['?nocache=false', false],
    ['?nocache=1', false],
    ['?nocache=TRUE', false],
    ['?NoCache=true', false],
    ['?nocache=trueish', false],
    ['?xnocache=true', false],
    ['?a=nocache=true', false],
    ['?nocache=true;a', false],
    ['?no%63ache=true', false],
    ['?nocache=%74rue', false],
    ['?nocache=true#', false],
    ['?a?nocache=true', false],
  ]

  it('has 21 rows', () => expect(rows).toHaveLength(21))

  it.each(rows)('/health%s gives %s', (query, nocache) => {
    expect(route(`/health${query}`, '', PATHS)).toEqual({ probe: 'health', nocache })
  })
})

describe('what is not ours', () => {
  const rows: readonly [target: string, prefix: string, why: string][] = [
    ['', '', 'nothing'],
    ['/', '', 'the root'],
    ['?nocache=true', '', 'a query alone'],
    ['*', '', 'OPTIONS of the whole server'],
    ['/Health', '', 'another case'],
    ['/health/LIVE', '', 'another case'],
    ['/healthz', '', 'a longer word'],
    ['/healt', '', 'a shorter word'],
    ['/health/live/', '/api', 'no prefix'],
    ['/health//', '', 'two closing slashes'],
    ['//health', '', 'two opening slashes'],
    ['/health//live', '', 'two slashes inside'],
    ['/health/./live', '', 'a dot segment'],
    ['/x/../health', '', 'dot segments'],
    ['/%68ealth', '', 'an encoded letter'],
    ['/health%2Flive', '', 'an encoded slash'],
    ['/health%3Fa', '', 'an encoded question mark'],
    ['/health;v=1', '', 'a path parameter'],
    ['/health ', '', 'a closing space'],
    [' /health', '', 'an opening space'],
    ['/health#a', '', 'a fragment'],
    ['/health\u0000', '', 'a null byte'],
    ['\\health', '', 'a backslash'],
    ['http://example.com/health', '', 'absolute form'],
    ['http://example.com/api/health', '/api', 'absolute form under a prefix'],
    ['/api', '/api', 'the prefix alone'],
    ['/api/', '/api', 'the prefix with a slash'],
    ['/api?/health', '/api', 'a probe in the query'],
    ['/foo/health?/api', '/api', 'the prefix in the query, a path as long in its place'],
    ['/apihealth', '/api', 'the prefix without a slash after it'],
    ['/API/health', '/api', 'the prefix in another case'],
    ['/api/api/health', '/api', 'the prefix twice'],
    ['/health?a', '/health', 'a prefix that reads like a probe'],
    ['/__proto__', '', 'a name that every object has'],
    ['constructor', '', 'a name that every object has'],
  ]

  it('has 35 rows', () => expect(rows).toHaveLength(35))

  it.each(rows)('passes on %j under "%s": %s', (target, prefix) => {
    expect(route(target, prefix, PATHS)).toBeUndefined()
  })
})

describe('custom paths', () => {
  const custom: ReadonlyMap<string, Probe> = new Map<string, Probe>([
    ['/livez', 'live'],
    ['/a%20b', 'ready'],
    // how the options hold the path `/`
    ['', 'ping'],
  ])
  const rows: readonly [target: string, prefix: string, probe: Probe | undefined][] = [
    ['/livez', '', 'live'],
    ['/livez/', '', 'live'],
    ['/a%20b?x', '', 'ready'],
    ['/a b', '', undefined],
    ['/health/live', '', undefined],
    ['/', '', 'ping'],
    ['/?x', '', 'ping'],
    ['//', '', undefined],
    ['/x', '', undefined],
    ['/api', '/api', 'ping'],
    ['/api/', '/api', 'ping'],
    ['/api?x', '/api', 'ping'],
    ['/api//', '/api', undefined],
    ['/apis', '/api', undefined],
    ['/', '/api', undefined],
  ]

  it('has 15 rows', () => expect(rows).toHaveLength(15))

  it.each(rows)('%s under "%s" asks %s', (target, prefix, probe) => {
    expect(route(target, prefix, custom)?.probe).toBe(probe)
  })
})

describe('on any string', () => {
  const fragment = fc.constantFrom(
    ...['/', '//', 'health', '/health', '/live', '/ready', '/api', '/api/baldur', '?', '&', '#', '%2F'],
    ...['nocache=true', 'nocache=false', 'http://h', '\u0000', 'é', ' ', 'x'],
  )
  const target = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fragment, { maxLength: 7 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom(...PREFIXES), fc.constantFrom(...PATHS.keys()), fc.string())
      .map((x) => x.join('')),
  )
  const prefix = fc.oneof(fc.constantFrom(...PREFIXES), fc.string({ unit: 'binary' }))

  /** The same rule in the words of a regular expression. */
  const model = (text: string, start: string): Probe | undefined =>
    [...PATHS].find(([path]) => {
      const ours = `${start}${path}`.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      return new RegExp(`^${ours}/?(?:\\?[^]*)?$`).test(text)
    })?.[1]

  it('never throws, and never matches what does not begin with the prefix', () => {
    fc.assert(
      fc.property(target, prefix, (text, start) => {
        const found = route(text, start, PATHS)
        if (found !== undefined) expect(text.startsWith(start)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('agrees with a regular expression of the prefix, the path, one slash and a query', () => {
    fc.assert(
      fc.property(target, fc.constantFrom(...PREFIXES), (text, start) => {
        expect(route(text, start, PATHS)?.probe).toBe(model(text, start))
      }),
      { numRuns: 2_000 },
    )
  })
})
