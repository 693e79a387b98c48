/** How long the next process waits after so many that died in a row without having served, in milliseconds. */
export function crashBackoff(crashes: number, firstMs: number, mostMs: number): number {
  return crashes < 1 ? 0 : Math.min(mostMs, firstMs * 2 ** (crashes - 1))
}
