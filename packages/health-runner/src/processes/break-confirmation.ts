import type { Clock } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'

/** Waits after a broken connection: either the process exits soon, or it is alive and unhealthy. */
export interface BreakConfirmation {
  /** Whether the wait is in progress; the runner gets no request until it ends. */
  readonly isOpen: boolean
  begin(type: string): void
  drop(): void
}

export interface BreakConfirmationParts {
  readonly clock: Clock
  /** Whether the process has ended and its exit is not reported yet. */
  hasEnded(): boolean
  /** Called when the process is still alive after the wait. */
  onUnhealthy(type: string): void
}

export function createBreakConfirmation({
  clock,
  hasEnded,
  onUnhealthy: onIll,
}: BreakConfirmationParts): BreakConfirmation {
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
        // its exit is reported next
        if (hasEnded()) return
        isOpen = false
        onIll(type)
      })
    },
    drop: () => cancel(),
  }
}
