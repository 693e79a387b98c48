import type { Heal } from '../vocabulary/heal.ts'
import { HEAL } from './defaults.ts'
import { hasFunctions, isPlain } from './plain.ts'
import type { Problems } from './problems.ts'
import { readNumber } from './read-number.ts'
import { refuseUnknown } from './unknown-keys.ts'

/** Fills in what is absent; undefined when nothing is to be tried. What is wrong is added to the problems. */
export function readHeal(path: string, given: unknown, problems: Problems): Required<Heal> | undefined {
  if (given === undefined) return undefined
  if (!isPlain(given) || !hasFunctions(given, ['run'])) {
    problems.add(path, 'an object with a function run(signal)', given)
    return undefined
  }
  refuseUnknown(path, given, ['run', ...Object.keys(HEAL)], problems)
  const number = (key: keyof typeof HEAL): number =>
    readNumber(`${path}.${key}`, given[key], HEAL[key], problems)
  return {
    run: (signal) => (given as unknown as Heal).run(signal),
    afterFailures: number('afterFailures'),
    cooldownMs: number('cooldownMs'),
    maxAttempts: number('maxAttempts'),
  }
}
