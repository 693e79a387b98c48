import { until } from 'health-testkit'

/** Waits until a count above 0 has not changed for a while, and gives it: every buffer on the way is full. */
export async function standsStill(count: () => number): Promise<number> {
  const seen: number[] = []
  await until(
    () => {
      seen.unshift(count())
      return seen.length > 4 && (seen[0] ?? 0) > 0 && seen.slice(0, 4).every((one) => one === seen[0])
    },
    { everyMs: 75, timeoutMs: 20_000, message: 'a count to stand still' },
  )
  return seen[0] ?? 0
}
