/** How many letters have to be added, removed, replaced or swapped with their neighbour to turn one word into the other. */
function distance(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : replace
      next.push(Math.min(replace, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** The word that was probably meant, or undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.slice(0, 100).toLowerCase()
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const best = ranked[0]
  if (best === undefined) return undefined
  // two changes turn a short word into any other: url is not ssl
  const most = word.length <= 4 ? 1 : Math.max(2, Math.floor(best.candidate.length / 4))
  return best.far <= most ? best.candidate : undefined
}
