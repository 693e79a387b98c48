/** A runner that could be given one more request. */
export interface Candidate {
  /** Of its slot in turn. */
  readonly slot: number
  readonly isIdle: boolean
  readonly isHeld: boolean
}

/** Held ones last; among the others the idle ones first. */
const rank = ({ isIdle, isHeld }: Candidate): number => (isHeld ? 2 : 0) + (isIdle ? 0 : 1)

/** The best of the candidates; among equals the first in turn after the slot that was taken last. They come in order of their slots. */
export function chooseRunner<T extends Candidate>(
  candidates: readonly T[],
  lastPlace: number,
): T | undefined {
  let best: T | undefined
  for (const candidate of candidates) {
    if (best === undefined || rank(candidate) < rank(best)) best = candidate
    else if (rank(candidate) === rank(best) && best.slot <= lastPlace && candidate.slot > lastPlace)
      best = candidate
  }
  return best
}
