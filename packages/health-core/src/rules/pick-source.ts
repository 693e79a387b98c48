/** The results of this process. */
export interface LocalResults {
  /** Whether they are within their TTL. */
  readonly isFresh: boolean
  /** Milliseconds since the oldest of them was requested. */
  readonly sinceMs: number
  /** Whether the last result of some check is a failure, whatever its age. */
  readonly hasFailure: boolean
  /** Whether some check has not reached `fall` or `rise` yet; runs of other processes do not count there. */
  readonly isSettling: boolean
}

/** The shared results of another process. */
export interface RemoteResults {
  readonly sinceMs: number
  /** Whether they match the local status of every check. */
  readonly matchesLocal: boolean
}

/**
 * Picks the source of an answer. Remote results are used only when they match the local ones: successes where this process
 * sees no failure, and failures that it has confirmed itself. So a process with a broken network cannot take the others down
 * and cannot hide behind them, and a failure that all processes see is computed once for all of them.
 */
export function pickSource(
  own: LocalResults,
  shared: RemoteResults | undefined,
): 'own' | 'shared' | 'compute' {
  const isNewer = shared !== undefined && !(own.isFresh && own.sinceMs <= shared.sinceMs)
  if (isNewer && !own.isSettling) {
    if (shared.matchesLocal) return 'shared'
    if (!own.hasFailure) return 'compute'
  }
  return own.isFresh ? 'own' : 'compute'
}
