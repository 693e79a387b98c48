/** A timer of 5 ms that comes this late was not merely rounded: the process was not run. */
const NOTICED_MS = 20
const EVERY_MS = 5
/** More is not put down to the machine: what blocks its loop for longer is itself a fault. */
const MOST_MS = 500

/** Begins to add up how long this process was not run, for want of a core or behind its own work; returns what ends it and tells, in milliseconds, 500 at most. */
export function watchLateness(): () => number {
  let late = 0
  let last = performance.now()
  const look = (): void => {
    const now = performance.now()
    const gap = now - last
    if (gap > NOTICED_MS) late += gap - EVERY_MS
    last = now
  }
  const timer = setInterval(look, EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    return Math.min(late, MOST_MS)
  }
}
