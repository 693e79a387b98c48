import { describe, expect, it } from 'vitest'
import type { HealthConfigError } from '../vocabulary/config-error.ts'
import { PROBES } from '../vocabulary/probe.ts'
import { readMount, readPrefix } from './mount.ts'
import { createProblems, type Problems } from './problems.ts'

/** The paths of what was refused. */
function refusedBy(read: (problems: Problems) => unknown): readonly string[] {
  const problems = createProblems()
  read(problems)
  try {
    problems.throwIfAny()
  } catch (error) {
    return (error as HealthConfigError).problems.map(({ path }) => path)
  }
  return []
}

/** As a prefix, and as the path of a probe: how it is held, or undefined where it is refused. */
const ROWS: readonly [value: unknown, prefix: string | undefined, path: string | undefined][] = [
  ['/', '', ''],
  ['/api', '/api', '/api'],
  ['/api/', '/api', '/api'],
  ['/api/baldur', '/api/baldur', '/api/baldur'],
  ['/api/baldur/', '/api/baldur', '/api/baldur'],
  ['/livez', '/livez', '/livez'],
  ['/a%20b', '/a%20b', '/a%20b'],
  ["/-._~!$&'()*+,;=:@", "/-._~!$&'()*+,;=:@", "/-._~!$&'()*+,;=:@"],
  ['', '', undefined],
  ['api', undefined, undefined],
  ['./api', undefined, undefined],
  ['//api', undefined, undefined],
  ['//', undefined, undefined],
  ['/api?x', undefined, undefined],
  ['/api#x', undefined, undefined],
  ['/a b', undefined, undefined],
  ['/a\n', undefined, undefined],
  ['/a\\b', undefined, undefined],
  ['/größe', undefined, undefined],
  ['/a"', undefined, undefined],
  ['/:id<x>', undefined, undefined],
  ['http://h/api', undefined, undefined],
  [null, undefined, undefined],
  [false, undefined, undefined],
  [1, undefined, undefined],
  [['/api'], undefined, undefined],
  [{}, undefined, undefined],
]

describe('a prefix and a path', () => {
  it('has 27 rows', () => expect(ROWS).toHaveLength(27))

  it.each(ROWS)('%j as a prefix: %j', (value, prefix) => {
    expect(readPrefix(value, createProblems())).toBe(prefix ?? '')
    expect(refusedBy((problems) => readPrefix(value, problems))).toEqual(
      prefix === undefined ? ['prefix'] : [],
    )
  })

  it.each(ROWS)('%j as the path of a probe', (value, _prefix, path) => {
    const mount = readMount(undefined, { live: value }, createProblems())
    expect(mount.paths.live).toBe(path ?? '/health/live')
    expect(refusedBy((problems) => readMount(undefined, { live: value }, problems))).toEqual(
      path === undefined ? ['paths.live'] : [],
    )
  })

  it('absent leaves the default', () => {
    const nothing = Object.fromEntries(PROBES.map((probe) => [probe, undefined]))
    expect(refusedBy((problems) => readMount(undefined, nothing, problems))).toEqual([])
    expect(readMount(undefined, nothing, createProblems())).toEqual({
      prefix: '',
      paths: {
        health: '/health',
        live: '/health/live',
        ready: '/health/ready',
        startup: '/health/startup',
        pool: '/health/pool',
        ping: '/health/ping',
      },
    })
  })
})

describe('paths of two probes', () => {
  it.each([
    ['the same', { live: '/a', ready: '/a' }, ['paths.ready']],
    ['the same but for the closing slash', { live: '/a/', ready: '/a' }, ['paths.ready']],
    ['that of another default', { ping: '/health/live' }, ['paths.ping']],
    ['an earlier one takes that of a later default', { health: '/health/ping' }, ['paths.ping']],
    ['three alike', { live: '/a', ready: '/a', ping: '/a' }, ['paths.ready', 'paths.ping']],
    ['exchanged', { live: '/health/ready', ready: '/health/live' }, []],
    ['alike but for the case', { live: '/a', ready: '/A' }, []],
  ])('%s', (_title, paths, refused) => {
    expect(refusedBy((problems) => readMount('', paths, problems))).toEqual(refused)
  })
})
