/** What this process has seen itself. */
export interface OwnResults {
  /** Within their TTL. */
  readonly isFresh: boolean
  /** Since the oldest of them was asked for, in milliseconds. */
  readonly sinceMs: number
  /** The last thing seen of some check is a failure, however long ago. */
  readonly fails: boolean
}

/** What another process has seen and shared. */
export interface SharedResults {
  readonly sinceMs: number
  readonly isHealthy: boolean
}

/**
 * Where an answer comes from. Only good news is taken from another process, and only by one that sees no failure itself:
 * bad news is confirmed by computing, so that a process with a broken network of its own takes nobody else down, and
 * cannot hide behind the others either.
 */
export function pickSource(own: OwnResults, shared: SharedResults | undefined): 'own' | 'shared' | 'compute' {
  const isNews = shared !== undefined && !own.fails && !(own.isFresh && own.sinceMs <= shared.sinceMs)
  if (isNews) return shared.isHealthy ? 'shared' : 'compute'
  return own.isFresh ? 'own' : 'compute'
}
