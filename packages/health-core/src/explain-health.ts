import { POOL } from './options/defaults.ts'
import type { CheckEntry } from './options/entry.ts'
import type { Settings } from './options/settings.ts'
import type { CheckExplanation, HealthExplanation } from './vocabulary/explanation.ts'

function explainCheck(entry: CheckEntry): CheckExplanation {
  const { name, critical, fall, rise, timeoutMs, connectTimeoutMs, minIntervalMs, heal } = entry
  const policy = { name, critical, fall, rise, timeoutMs, connectTimeoutMs, minIntervalMs }
  if (heal === undefined) return policy
  const { afterFailures, cooldownMs, maxAttempts } = heal
  return { ...policy, heal: { afterFailures, cooldownMs, maxAttempts } }
}

/** Returns a copy of the numbers in force. Functions, stores and the caller's own objects are left out. */
export function explainHealth(settings: Settings): HealthExplanation {
  const { namespace, prefix, paths, readiness, verdict, watchdog, entries, share } = settings
  return {
    ...(namespace === undefined ? {} : { namespace }),
    prefix,
    paths: { ...paths },
    readiness: { ...readiness },
    verdict: { ...verdict, isShared: share !== undefined && entries.length > 0 },
    pool: { budgetMs: POOL.budgetMs, cacheTtlMs: POOL.cacheTtlMs },
    ...(watchdog === undefined
      ? {}
      : { watchdog: { intervalMs: watchdog.intervalMs, timeoutMs: watchdog.timeoutMs } }),
    checks: entries.map(explainCheck),
  }
}
