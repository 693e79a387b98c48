import type { Clock } from '../machinery/clock.ts'

/** Keeps what was made last, until the version changes or `keepMs` have passed: a cached answer is ready bytes. */
export function remember<T>(clock: Clock, keepMs: number, make: () => T): (version: number) => T {
  let kept: { readonly version: number; readonly at: number; readonly value: T } | undefined
  return (version) => {
    // what is kept for as long as its version needs no time
    const now = keepMs === Number.POSITIVE_INFINITY ? 0 : clock.now()
    if (kept === undefined || kept.version !== version || now - kept.at >= keepMs) {
      kept = { version, at: now, value: make() }
    }
    return kept.value
  }
}
