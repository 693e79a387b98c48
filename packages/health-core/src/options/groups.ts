import { PROBES } from '../vocabulary/probe.ts'
import { CHOICES, DURATIONS, SWITCHES } from './defaults.ts'
import { isPlain, type Plain } from './plain.ts'
import type { Problems } from './problems.ts'
import { refuseUnknown } from './unknown-keys.ts'

const FIELD_PATHS: readonly string[] = [DURATIONS, CHOICES, SWITCHES].flatMap(Object.keys)

/** The keys that the tables of `defaults.ts` give a group, and those that are no plain fields. */
const keysOf = (group: string, others: readonly string[]): readonly string[] => [
  ...FIELD_PATHS.filter((path) => path.startsWith(`${group}.`)).map((path) => path.slice(group.length + 1)),
  ...others,
]

const KEYS: Readonly<Record<keyof Groups, readonly string[]>> = {
  '': [
    ...['databases', 'checks', 'prefix', 'paths', 'readiness', 'verdict', 'redis', 'namespace', 'watchdog'],
    ...['logger', 'clock', 'env'],
    ...FIELD_PATHS.filter((path) => !path.includes('.')),
  ],
  paths: PROBES,
  readiness: keysOf('readiness', []),
  verdict: keysOf('verdict', ['store']),
  watchdog: keysOf('watchdog', ['webhookUrl', 'components', 'onEscalate']),
}

/** The options of `createHealth`. */
export const OPTION_NAMES: readonly string[] = KEYS['']

/** The options by group; `''` holds the top level. A group that is absent is empty. */
export type Groups = Readonly<Record<'' | 'paths' | 'readiness' | 'verdict' | 'watchdog', Plain>>

/** Refuses keys that nobody knows, and groups that are no objects. `alsoKnown`: options that an adapter has taken out already. */
export function readGroups(options: unknown, problems: Problems, alsoKnown: readonly string[] = []): Groups {
  const group = (path: keyof Groups, value: unknown): Plain => {
    if (value === undefined) return {}
    if (!isPlain(value)) {
      problems.add(
        path === '' ? 'options' : path,
        path === 'watchdog' ? 'true, false or an object' : 'an object',
        value,
      )
      return {}
    }
    refuseUnknown(path, value, path === '' ? [...KEYS[path], ...alsoKnown] : KEYS[path], problems)
    return value
  }
  const top = group('', options)
  return {
    '': top,
    paths: group('paths', top.paths),
    readiness: group('readiness', top.readiness),
    verdict: group('verdict', top.verdict),
    watchdog: group('watchdog', typeof top.watchdog === 'boolean' ? undefined : top.watchdog),
  }
}
