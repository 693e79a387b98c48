import type { Codes } from '../rules/problem.ts'
import type { Check, CheckPolicy } from '../vocabulary/check.ts'
import type { Heal } from '../vocabulary/heal.ts'
import { readCodes } from './codes.ts'
import { POLICY } from './defaults.ts'
import { readHeal } from './heal.ts'
import { nearest } from './nearest.ts'
import type { Plain } from './plain.ts'
import type { Problems } from './problems.ts'
import { readNumber } from './read-number.ts'
import { refuseUnknown } from './unknown-keys.ts'

/** A check with its policy filled in and the names it goes by. */
export interface CheckEntry extends Required<Omit<CheckPolicy, 'heal'>> {
  readonly check: Check
  /** @default 'unknown' */
  readonly vendor: string
  /** In readiness, events and logs: `database_<alias>`, or the check's own name. */
  readonly name: string
  /** In the verdict: the default database is `database` there. */
  readonly healthName: string
  /** The key in `databases`; absent for other checks. */
  readonly alias?: string
  /** The database that the pool endpoint speaks of. */
  readonly isDefault: boolean
  readonly heal: Required<Heal> | undefined
  /** The check's own codes, as they were when it was given. */
  readonly codes: Codes
  /** Left out of what a service that asks as a check of its own is told. */
  readonly isPeer: boolean
}

export const CHECK_NAME: RegExp = /^[A-Za-z0-9_.:-]{1,64}$/
export const CHECK_NAME_ALLOWED = '1 to 64 letters, digits and _ . : -'

const CHECK_ALLOWED = 'a check: an object with a name and a function run(signal)'
const OPTIONAL_FUNCTIONS = ['connect', 'stats', 'close'] as const
const FUNCTIONS = ['run', ...OPTIONAL_FUNCTIONS] as const
const SWITCHES = ['critical', 'peer'] as const
const KEYS: readonly (keyof Check)[] = [
  ...(['name', 'vendor', 'codes', 'heal', ...FUNCTIONS, ...SWITCHES] as const),
  ...(Object.keys(POLICY) as NumberPolicy[]),
]
type NumberPolicy = keyof typeof POLICY

const isLiteral = (value: object): value is Plain =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Unknown keys are refused, with two exceptions: an object of a class holds state of its own, and an object may have further functions. */
function refuseTypos(path: string, given: Plain, problems: Problems): void {
  const isTypo = (key: string): boolean =>
    typeof given[key] !== 'function' || nearest(key, FUNCTIONS) !== undefined
  const keys = Object.keys(given).filter((key) => (KEYS as readonly string[]).includes(key) || isTypo(key))
  refuseUnknown(path, Object.fromEntries(keys.map((key) => [key, given[key]])), KEYS, problems)
}

/** Checks one check and fills in its policy; every problem is added to `problems`. Returns undefined for a check that cannot be used at all. */
export function entryOf(
  path: string,
  given: unknown,
  identity: Pick<CheckEntry, 'alias' | 'isDefault'> & {
    readonly name?: string
    readonly healthName?: string
  },
  problems: Problems,
): CheckEntry | undefined {
  if (typeof given !== 'object' || given === null) {
    problems.add(path, CHECK_ALLOWED, given)
    return undefined
  }
  const check = given as Check
  const canRun = typeof check.run === 'function'
  if (!canRun) problems.add(path, CHECK_ALLOWED, given)
  const name = identity.name ?? check.name
  const isNamed = typeof name === 'string' && CHECK_NAME.test(name)
  if (!isNamed) problems.add(`${path}.name`, CHECK_NAME_ALLOWED, name)
  if (isLiteral(given)) refuseTypos(path, given, problems)
  for (const key of OPTIONAL_FUNCTIONS) {
    const value: unknown = check[key]
    if (value !== undefined && typeof value !== 'function')
      problems.add(`${path}.${key}`, 'a function', value)
  }
  if (check.vendor !== undefined && typeof check.vendor !== 'string') {
    problems.add(`${path}.vendor`, 'a string', check.vendor)
  }
  for (const key of SWITCHES) {
    const value: unknown = check[key]
    if (value !== undefined && typeof value !== 'boolean')
      problems.add(`${path}.${key}`, 'true or false', value)
  }
  const number = (key: NumberPolicy): number =>
    readNumber(`${path}.${key}`, check[key], POLICY[key], problems)
  const entry = {
    check,
    vendor: check.vendor ?? 'unknown',
    name,
    healthName: identity.healthName ?? name,
    ...(identity.alias === undefined ? {} : { alias: identity.alias }),
    isDefault: identity.isDefault,
    isPeer: check.peer === true && identity.alias === undefined,
    codes: readCodes(`${path}.codes`, check.codes, problems),
    critical: check.critical ?? true,
    fall: number('fall'),
    rise: number('rise'),
    timeoutMs: number('timeoutMs'),
    connectTimeoutMs: number('connectTimeoutMs'),
    minIntervalMs: number('minIntervalMs'),
    heal: readHeal(`${path}.heal`, check.heal, problems),
  }
  return canRun && isNamed ? entry : undefined
}
