interface Backoff {
  /** Before the second try, in milliseconds; doubled before each further one. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
  /** A delay is shorter by up to this share of it. */
  readonly jitterShare: number
}

/** How long to wait after so many tries that brought nothing, in milliseconds. `random` is between 0 and 1. */
export function backoff(
  tries: number,
  { backoffMs, maxBackoffMs, jitterShare }: Backoff,
  random: number,
): number {
  if (tries < 1) return 0
  return Math.min(maxBackoffMs, backoffMs * 2 ** (tries - 1)) * (1 - jitterShare * random)
}
