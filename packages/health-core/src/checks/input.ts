import { type ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'

/** What an option must be: one of these words, or true or false. */
type OptionKind = readonly string[] | 'boolean'

/** The options that every built-in check takes; what they hold is checked with the other checks' when the health is made. */
const COMMON = [
  'name',
  'critical',
  'fall',
  'rise',
  'timeoutMs',
  'connectTimeoutMs',
  'minIntervalMs',
  'heal',
] as const

/** What something is, without showing it: it may hold a password. */
export const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? `a ${value.constructor?.name ?? 'object'}` : `a ${typeof value}`
}

export function refuse(path: string, expected: string, got: string): never {
  throw new HealthConfigError([{ path, expected, got }])
}

/** Everything that is wrong with the options of a built-in check. */
export function optionProblems(
  check: string,
  options: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
): readonly ConfigProblem[] {
  if (typeof options !== 'object' || options === null) {
    return [{ path: `${check}(…, options)`, expected: 'an object', got: kindOf(options) }]
  }
  const known = [...Object.keys(kinds), ...COMMON]
  const unknown = Object.keys(options)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: `${check}.${key}`,
      expected: `one of ${known.join(', ')}`,
      got: 'an unknown option',
    }))
  const odd = Object.entries(kinds).flatMap(([key, kind]) => {
    const value = (options as Readonly<Record<string, unknown>>)[key]
    const isFine = kind === 'boolean' ? typeof value === 'boolean' : kind.includes(value as string)
    if (value === undefined || isFine) return []
    const expected = kind === 'boolean' ? 'true or false' : kind.map((word) => `'${word}'`).join(' or ')
    return [{ path: `${check}.${key}`, expected, got: kindOf(value) }]
  })
  return [...unknown, ...odd]
}

/** Throws one error that lists them all, if there is one. */
export function throwIfAny(problems: readonly ConfigProblem[]): void {
  if (problems.length > 0) throw new HealthConfigError(problems)
}
