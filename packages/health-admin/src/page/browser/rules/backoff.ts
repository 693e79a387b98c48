const FIRST_MS = 500
const LONGEST_MS = 5_000

/** How long to wait before an attempt, the first being 1: doubled each time, and spread by `random`, so that many pages do not come back at once. */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  return Math.round(Math.max(FIRST_MS, full * (0.5 + random / 2)))
}
