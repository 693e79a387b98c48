import type { Problems } from '@baldur/health-core/internal'
import type { Bounds } from './defaults.ts'

/** A whole number within its bounds, or the usual one where it is absent or wrong; what is wrong is added to the problems. */
function readNumber(path: string, value: unknown, bounds: Bounds, problems: Problems): number {
  const { usual, min, max, unit } = bounds
  if (value === undefined) return usual
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  problems.add(path, `${min} to ${max}${unit === '' ? '' : ` ${unit}`}, whole`, value)
  return usual
}

/** All numbers of a group. */
export function readNumbers<Name extends string>(
  path: string,
  given: Readonly<Record<string, unknown>>,
  group: Readonly<Record<Name, Bounds>>,
  problems: Problems,
): Record<Name, number> {
  const names = Object.keys(group) as Name[]
  const read = names.map((name) => [name, readNumber(path + name, given[name], group[name], problems)])
  return Object.fromEntries(read) as Record<Name, number>
}
