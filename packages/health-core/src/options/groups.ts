import { PROBES } from '../vocabulary/probe.ts'
import { nearest } from './nearest.ts'
import { isPlain, type Plain } from './plain.ts'
import type { Problems } from './problems.ts'

const KEYS = {
  '': [
    'databases',
    'checks',
    'prefix',
    'paths',
    'readiness',
    'verdict',
    'expose',
    'redis',
    'namespace',
    'watchdog',
    'selfHealing',
    'logger',
    'clock',
    'env',
  ],
  paths: PROBES,
  readiness: ['budgetMs', 'cacheTtlMs', 'timeoutFailDirection'],
  verdict: ['budgetMs', 'refresh', 'l1TtlMs', 'l2TtlMs', 'refreshIntervalMs'],
  watchdog: ['intervalMs', 'timeoutMs', 'webhookUrl'],
} as const satisfies Record<keyof Groups, readonly string[]>

/** The options by group; `''` holds the top level. A group that is absent is empty. */
export type Groups = Readonly<Record<'' | 'paths' | 'readiness' | 'verdict' | 'watchdog', Plain>>

/** Refuses keys that nobody knows, naming the near one, and groups that are no objects. */
export function readGroups(options: unknown, problems: Problems): Groups {
  const group = (path: keyof Groups, value: unknown): Plain => {
    if (value === undefined) return {}
    if (!isPlain(value)) {
      problems.add(path === '' ? 'options' : path, 'an object', value)
      return {}
    }
    const known: readonly string[] = KEYS[path]
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
