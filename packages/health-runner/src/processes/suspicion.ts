import type { Clock } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'

/** A connection broke: either the process is dying, and its exit follows, or it lives and is ill. */
export interface Suspicion {
  /** It is given no request meanwhile. */
  readonly isOpen: boolean
  begin(type: string): void
  drop(): void
}

export interface SuspicionParts {
  readonly clock: Clock
  /** The process has ended, which nobody was told yet. */
  hasEnded(): boolean
  /** It lives. */
  onIll(type: string): void
}

export function createSuspicion({ clock, hasEnded, onIll }: SuspicionParts): Suspicion {
  let isOpen = false
  let cancel = (): void => {}
  return {
    get isOpen() {
      return isOpen
    },
    begin: (type) => {
      isOpen = true
      cancel()
      cancel = clock.after(FIXED.suspectMs, () => {
        // until its exit has been told
        if (hasEnded()) return
        isOpen = false
        onIll(type)
      })
    },
    drop: () => cancel(),
  }
}
