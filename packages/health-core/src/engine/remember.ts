import type { Clock } from '../machinery/clock.ts'

/** Caches the last result of `make` until the version changes or `keepMs` have passed. */
export function remember<T>(clock: Clock, keepMs: number, make: () => T): (version: number) => T {
  let kept: { readonly version: number; readonly at: number; readonly value: T } | undefined
  return (version) => {
    // an entry without an expiry needs no clock
    const now = keepMs === Number.POSITIVE_INFINITY ? 0 : clock.now()
    if (kept === undefined || kept.version !== version || now - kept.at >= keepMs) {
      kept = { version, at: now, value: make() }
    }
    return kept.value
  }
}
