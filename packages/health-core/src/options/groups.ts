import { PROBES } from '../vocabulary/probe.ts'
import { CHOICES, DURATIONS, SWITCHES } from './defaults.ts'
import { nearest } from './nearest.ts'
import { isPlain, type Plain } from './plain.ts'
import type { Problems } from './problems.ts'

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
  verdict: keysOf('verdict', []),
  watchdog: keysOf('watchdog', ['webhookUrl']),
}

/** The options by group; `''` holds the top level. A group that is absent is empty. */
export type Groups = Readonly<Record<'' | 'paths' | 'readiness' | 'verdict' | 'watchdog', Plain>>

/** Refuses keys that nobody knows, naming the near one, and groups that are no objects. */
export function readGroups(options: unknown, problems: Problems): Groups {
  const group = (path: keyof Groups, value: unknown): Plain => {
    if (value === undefined) return {}
    if (!isPlain(value)) {
      problems.add(
        path === '' ? 'options' : path,
        path === 'watchdog' ? 'false or an object' : 'an object',
        value,
      )
      return {}
    }
    const known = KEYS[path]
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue
      const meant = nearest(key, known)
      problems.addText(
        path === '' ? key : `${path}.${key}`,
        `one of ${known.join(', ')}`,
        `an unknown option${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
      )
    }
    return value
  }
  const top = group('', options)
  return {
    '': top,
    paths: group('paths', top.paths),
    readiness: group('readiness', top.readiness),
    verdict: group('verdict', top.verdict),
    watchdog: group('watchdog', top.watchdog === false ? undefined : top.watchdog),
  }
}
