import { nearest } from '../options/nearest.ts'
import type { ConfigProblem } from '../vocabulary/config-error.ts'
import { kindOf } from './input.ts'

/** The connection options of a driver, as far as a typo in them would reach another server, or none. */
export interface KnownOptions {
  /** The factory, as errors name it. */
  readonly factory: string
  /** What else the factory accepts, for a caller who has something else. */
  readonly instead: string
  /** The options that name a server. */
  readonly targets: readonly string[]
  /** Options whose names are near to those of others. */
  readonly others: readonly string[]
}

/**
 * Everything that is wrong with connection options. An object that names no server (a client of an ORM, options with a typo) would
 * connect to the driver's default, 127.0.0.1, and read as usable if a server happens to listen there. Options that are near to no known
 * one are left to the driver. Values are never shown.
 */
export function connectionProblems(
  source: object,
  { factory, instead, targets, others }: KnownOptions,
): readonly ConfigProblem[] {
  const known = [...targets, ...others]
  const keys = Object.keys(source)
  const typos = keys.flatMap((key) => {
    const meant = known.includes(key) ? undefined : nearest(key, known)
    if (meant === undefined) return []
    const got = `an unknown option (did you mean ${meant}?)`
    return [{ path: `${factory}(source).${key}`, expected: `an option of the driver; or ${instead}`, got }]
  })
  if (typos.length > 0 || keys.some((key) => targets.includes(key))) return typos
  const isLiteral = [Object.prototype, null].includes(Object.getPrototypeOf(source))
  const expected = isLiteral
    ? `connection options with at least one of ${targets.join(', ')}; or ${instead}`
    : `${instead}; for another client write a check, as in { name: 'orders', run: () => client.query('SELECT 1') }`
  const shown = keys.length === 0 ? 'an empty object' : `the options ${keys.slice(0, 10).join(', ')}`
  return [{ path: `${factory}(source)`, expected, got: isLiteral ? shown : kindOf(source) }]
}
