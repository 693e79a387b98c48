import { nearest } from '../options/nearest.ts'
import type { ConfigProblem } from '../vocabulary/config-error.ts'
import { kindOf } from './input.ts'

/** The connection options of a driver. */
export interface KnownOptions {
  /** The factory, as errors name it. */
  readonly factory: string
  /** What else the factory takes, for whoever has something that it does not take. */
  readonly instead: string
  /** The options that say which server is meant. */
  readonly targets: readonly string[]
  readonly others: readonly string[]
}

const isLiteral = (source: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(source))

/**
 * Everything that is wrong with connection options. An object that is none (a client of an ORM, options with a typo) would otherwise
 * connect to the driver's default, 127.0.0.1, and read as usable where a server happens to listen there. Values are never shown.
 */
export function connectionProblems(
  source: object,
  { factory, instead, targets, others }: KnownOptions,
): readonly ConfigProblem[] {
  const known = [...targets, ...others]
  const keys = Object.keys(source)
  const unknown = keys.filter((key) => !known.includes(key))
  const hasTarget = keys.some((key) => targets.includes(key))
  if (!isLiteral(source)) {
    if (unknown.length === 0 && hasTarget) return []
    const expected = `${instead}; for another client write a check, as in { name: 'orders', run: () => client.query('SELECT 1') }`
    return [{ path: `${factory}(source)`, expected, got: kindOf(source) }]
  }
  const typos = unknown.map((key) => {
    const meant = nearest(key, known)
    const got = `an unknown connection option${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
    return {
      path: `${factory}(source).${key.slice(0, 80)}`,
      expected: `an option of the driver; or ${instead}`,
      got,
    }
  })
  if (hasTarget || typos.length > 0) return typos
  const expected = `connection options with at least one of ${targets.join(', ')}; or ${instead}`
  return [
    {
      path: `${factory}(source)`,
      expected,
      got: keys.length === 0 ? 'an empty object' : `the options ${keys.join(', ')}`,
    },
  ]
}
