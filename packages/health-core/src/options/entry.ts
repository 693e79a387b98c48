import type { Codes } from '../rules/problem.ts'
import type { Check, CheckPolicy } from '../vocabulary/check.ts'
import type { Heal } from '../vocabulary/heal.ts'
import { readCodes } from './codes.ts'
import { POLICY } from './defaults.ts'
import { readHeal } from './heal.ts'
import type { Problems } from './problems.ts'
import { readNumber } from './read-number.ts'

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

const OPTIONAL_FUNCTIONS = ['connect', 'stats', 'close'] as const
const SWITCHES = ['critical', 'peer'] as const
type NumberPolicy = keyof typeof POLICY

/** Checks one check and fills in its policy; what is wrong is added to `problems`, and undefined comes back when it cannot be used at all. */
export function entryOf(
  path: string,
  given: unknown,
  identity: Pick<CheckEntry, 'alias' | 'isDefault'> & {
    readonly name?: string
    readonly healthName?: string
  },
  problems: Problems,
): CheckEntry | undefined {
  if (typeof given !== 'object' || given === null || typeof (given as Check).run !== 'function') {
    problems.add(path, 'a check: an object with a name and a function run(signal)', given)
    return undefined
  }
  const check = given as Check
  const name = identity.name ?? check.name
  if (typeof name !== 'string' || !CHECK_NAME.test(name)) {
    problems.add(`${path}.name`, CHECK_NAME_ALLOWED, name)
    return undefined
  }
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
  return {
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
}
