import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Looks host names up as Node does, and knows when it is done. */
export interface TrackedLookup {
  readonly lookup: LookupFunction
  /** Resolves when no look-up is under way. */
  idle(): Promise<void>
}

/**
 * A look-up holds a thread of the pool until the system's resolver gives up, long after the connection that wanted it was
 * abandoned. A run that waits for it holds one thread; one that does not would take all four in a few polls, and with them
 * every file, look-up and hash of the app.
 */
export function trackedLookup(system: LookupFunction = systemLookup as LookupFunction): TrackedLookup {
  let pending: Promise<void> | undefined
  return {
    lookup: (hostname, options, callback) => {
      pending = new Promise((resolve) => {
        system(hostname, options, (...result) => {
          resolve()
          callback(...result)
        })
      })
    },
    idle: async () => pending,
  }
}
