/** What this process has seen itself. */
export interface OwnResults {
  /** Within their TTL. */
  readonly isFresh: boolean
  /** Since the oldest of them was asked for, in milliseconds. */
  readonly sinceMs: number
  /** The last thing seen of some check is a failure, however long ago. */
  readonly fails: boolean
  /** Of some check the runs in a row still count, towards `fall` or `rise`: nobody else's run is one of them. */
  readonly isMoving: boolean
}

/** What another process has seen and shared. */
export interface SharedResults {
  readonly sinceMs: number
  /** It is what this process would see itself. */
  readonly agrees: boolean
}

/**
 * Where an answer comes from. From another process only what this one would see itself is taken: good news where it
 * sees no failure, and a failure that it has confirmed by computing. So a process with a broken network of its own takes
 * nobody else down, cannot hide behind the others either, and a failure that all see is computed once for all.
 */
export function pickSource(own: OwnResults, shared: SharedResults | undefined): 'own' | 'shared' | 'compute' {
  const isNewer = shared !== undefined && !(own.isFresh && own.sinceMs <= shared.sinceMs)
  if (isNewer && !own.isMoving) {
    if (shared.agrees) return 'shared'
    if (!own.fails) return 'compute'
  }
  return own.isFresh ? 'own' : 'compute'
}
