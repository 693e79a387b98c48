import { POLICY } from '../options/defaults.ts'
import { CHECK_NAME, CHECK_NAME_ALLOWED } from '../options/entry.ts'
import { isPlain, type Plain } from '../options/plain.ts'
import type { Problems } from '../options/problems.ts'
import { readNumber } from '../options/read-number.ts'
import { refuseUnknown } from '../options/unknown-keys.ts'
import type { CheckPolicy } from '../vocabulary/check.ts'

/** Options that every built-in check takes. */
export interface CheckOptions extends CheckPolicy {
  /** Name of the check. @default the kind of the check, such as 'http' */
  readonly name?: string
}

type PolicyNumber = keyof typeof POLICY
const NUMBERS = Object.keys(POLICY) as PolicyNumber[]

/** The options of a check by their own names, and those that every check takes, without what is undefined. */
export interface ReadOptions {
  readonly own: Plain
  readonly policy: CheckOptions
}

/** Reads the last argument of a check's factory. Keys that are not known, and a policy that is none, are added to the problems. */
export function readCheckOptions(
  factory: string,
  options: unknown,
  ownKeys: readonly string[],
  problems: Problems,
): ReadOptions {
  if (!isPlain(options)) {
    problems.add(`${factory}(options)`, 'an object', options)
    return { own: {}, policy: {} }
  }
  refuseUnknown(factory, options, ['name', 'critical', 'heal', ...NUMBERS, ...ownKeys], problems)
  const { name, critical } = options
  if (name !== undefined && (typeof name !== 'string' || !CHECK_NAME.test(name))) {
    problems.add(`${factory}.name`, CHECK_NAME_ALLOWED, name)
  }
  if (critical !== undefined && typeof critical !== 'boolean') {
    problems.add(`${factory}.critical`, 'true or false', critical)
  }
  for (const key of NUMBERS) readNumber(`${factory}.${key}`, options[key], POLICY[key], problems)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const pick = (isOwn: boolean): Plain =>
    Object.fromEntries(given.filter(([key]) => ownKeys.includes(key) === isOwn))
  return { own: pick(true), policy: pick(false) }
}
