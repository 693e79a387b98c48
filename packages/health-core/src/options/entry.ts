import type { Codes } from '../rules/problem.ts'
import type { Check, CheckPolicy } from '../vocabulary/check.ts'
import type { Heal } from '../vocabulary/heal.ts'
import { readCodes } from './codes.ts'
import { POLICY } from './defaults.ts'
import { readHeal } from './heal.ts'
import { nearest } from './nearest.ts'
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

const CHECK_ALLOWED = 'a check: an object with a name and a function run(signal)'
type NumberPolicy = keyof typeof POLICY

/** What each key of a check holds, as `typeof` names it. */
const KINDS: Readonly<Record<string, string>> = {
  name: 'string',
  run: 'function',
  connect: 'function',
  stats: 'function',
  close: 'function',
  vendor: 'string',
  critical: 'boolean',
  peer: 'boolean',
  codes: 'object',
  heal: 'object',
  ...Object.fromEntries(Object.keys(POLICY).map((key) => [key, 'number'])),
}
const KEYS = Object.keys(KINDS)

/** Optional keys whose value needs no reader of its own, and the words for it in an error. */
const PLAIN_KEYS = ['connect', 'stats', 'close', 'vendor', 'critical', 'peer'] as const
const ALLOWED: Readonly<Record<string, string>> = {
  function: 'a function',
  string: 'a string',
  boolean: 'true or false',
}

/**
 * Refuses an unknown key that looks like a typo: a known key of the same kind of value is near. Other keys are left alone, since a
 * check is also an object with state and functions of its own.
 */
function refuseTypos(path: string, given: object, problems: Problems): void {
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(KINDS, key) || value === undefined) continue
    const sameKind = KEYS.filter((known) => KINDS[known] === typeof value)
    const meant = nearest(key, sameKind)
    const got = `an unknown option (did you mean ${meant}?)`
    if (meant !== undefined) problems.addText(`${path}.${key}`, `one of ${KEYS.join(', ')}`, got)
  }
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
  refuseTypos(path, given, problems)
  for (const key of PLAIN_KEYS) {
    const value: unknown = check[key]
    const kind = KINDS[key] ?? ''
    if (value !== undefined && typeof value !== kind)
      problems.add(`${path}.${key}`, ALLOWED[kind] ?? kind, value)
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
