/** The value below which that share of the values lies. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort()
  const at = (sorted.length - 1) * share
  const low = Math.floor(at)
  const below = sorted[low] ?? Number.NaN
  return below + ((sorted[low + 1] ?? below) - below) * (at - low)
}

export const median = (values) => quantile(values, 0.5)
