/** Injectable time source, so that tests control time. */
export interface Clock {
  /** Monotonic milliseconds: for ages and deadlines. */
  now(): number
  /** Milliseconds since 1970: for display only, since it can step. */
  wall(): number
  /** Calls `fire` once, `ms` from now; returns its canceller. Never keeps the process alive. */
  after(ms: number, fire: () => void): () => void
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
