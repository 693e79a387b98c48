import type { NumberField } from './defaults.ts'
import type { Problems } from './problems.ts'

/** A number within its bounds, or the default where it is absent or wrong; what is wrong is added to the problems. A path that ends in `Ms` is a duration, any other a count. */
export function readNumber(
  path: string,
  value: unknown,
  { default: usual, min, max }: NumberField,
  problems: Problems,
): number {
  if (value === undefined) return usual
  const isCount = !path.endsWith('Ms')
  if (typeof value === 'number' && value >= min && value <= max && (!isCount || Number.isInteger(value))) {
    return value
  }
  problems.add(path, `${min} to ${max}${isCount ? ', whole' : ' milliseconds'}`, value)
  return usual
}
