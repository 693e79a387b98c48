/** The pieces as one, in memory of its own: a slice of a shared one would keep all of that for as long as itself. */
export function joined(pieces: readonly Buffer[], bytes: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const piece of pieces) at += piece.copy(whole, at)
  return whole
}
