import type { Clock, Logger } from '@baldur/health-core'
import type { UnhealthyReason } from '../rules/classify-outcome.ts'
import {
  afterGoodAnswer,
  afterOwnDeath,
  allowedEndings,
  counted,
  type Ending,
  isOfSilence,
  withinWindow,
} from '../rules/guard.ts'
import { FIXED } from '../settings/defaults.ts'
import type { FleetSnapshot, GuardEvent } from '../vocabulary/fleet.ts'

/** A process that the guard may allow to be ended. */
export interface Guarded {
  readonly slot: number
  readonly number: number
  readonly name: string
}

/** Limits how many runners are ended, so that one unhealthy dependency cannot end them all. */
export interface Guard {
  /** Calls `end`, which counts, or holds the process. `end` may be called later, when there is room again. */
  judge(guarded: Guarded, reason: UnhealthyReason, end: () => void): void
  /** Why the process is held; undefined when it is not. */
  heldFor(guarded: Guarded): UnhealthyReason | undefined
  /** It has answered below 500: it is free, if it was held so are those held for a 503 or a break, and the endings before it in its slot stop counting. */
  answeredWell(guarded: Guarded): void
  /** Releases the process after a good health check. */
  free(guarded: Guarded): void
  /** Forgets a process that is being ended. */
  leaves(guarded: Guarded): void
  /** Discards the counted ending of a process that had died by itself. */
  diedByItself(guarded: Guarded): void
  /** Call when the wanted number of runners changes. */
  look(): void
  close(): void
  snapshot(): FleetSnapshot['guard']
}

export interface GuardParts {
  readonly clock: Clock
  readonly logger: Logger
  wanted(): number
  onGuard(event: GuardEvent): void
}

export function createGuard({ clock, logger, wanted, onGuard }: GuardParts): Guard {
  let endings: readonly Ending[] = []
  const held = new Map<Guarded, { readonly reason: UnhealthyReason; readonly end: () => void }>()
  let cancelLook = (): void => {}

  const counts = (): FleetSnapshot['guard'] => {
    endings = withinWindow(endings, clock.now(), FIXED.guardWithinMs)
    return { ended: counted(endings), allowed: allowedEndings(wanted(), FIXED.guardShare) }
  }
  const hasRoom = (): boolean => {
    const { ended, allowed } = counts()
    return ended < allowed
  }
  const count = ({ slot, number }: Guarded, reason: UnhealthyReason, end: () => void): void => {
    endings = [...endings, { slot, number, reason, at: clock.now(), isProven: false }]
    end()
  }
  const hold = (guarded: Guarded, reason: UnhealthyReason, end: () => void): void => {
    const isNews = held.get(guarded)?.reason !== reason
    held.set(guarded, { reason, end })
    if (!isNews) return
    const { ended, allowed } = counts()
    logger.warn(
      `runner ${guarded.name}: ${reason}, but it is held: ${ended} of at most ${allowed} were ended within ${FIXED.guardWithinMs / 60_000} minutes`,
    )
    onGuard({ name: guarded.name, reason, ended, allowed })
  }
  const free = (guarded: Guarded, why: string): boolean => {
    const wasHeld = held.delete(guarded)
    if (wasHeld) logger.warn(`runner ${guarded.name}: no longer held: ${why}`)
    return wasHeld
  }
  const look = (): void => {
    cancelLook()
    // in the order in which they were held
    for (const [guarded, { reason, end }] of [...held]) {
      if (!hasRoom()) break
      if (!isOfSilence(reason)) free(guarded, 'the guard has room, and its next answer tells')
      else if (held.delete(guarded)) count(guarded, reason, end)
    }
    const oldest = endings.find(({ isProven }) => !isProven)
    if (held.size === 0 || oldest === undefined) return
    cancelLook = clock.after(Math.max(0, oldest.at + FIXED.guardWithinMs - clock.now()), look)
  }
  return {
    judge: (guarded, reason, end) => {
      if (hasRoom()) {
        held.delete(guarded)
        count(guarded, reason, end)
      } else {
        hold(guarded, reason, end)
        look()
      }
    },
    heldFor: (guarded) => held.get(guarded)?.reason,
    answeredWell: (guarded) => {
      if (free(guarded, 'it has answered well')) {
        // what they could not reach either may be back: their next answers tell
        for (const [other, { reason }] of [...held])
          if (!isOfSilence(reason)) free(other, `${guarded.name} has answered well`)
      }
      const before = counted(endings)
      endings = afterGoodAnswer(endings, guarded.slot, guarded.number, FIXED.guardProofs)
      if (counted(endings) < before) look()
    },
    free: (guarded) => void free(guarded, 'its health check is good'),
    leaves: (guarded) => void held.delete(guarded),
    diedByItself: ({ slot, number }) => {
      endings = afterOwnDeath(endings, slot, number)
      look()
    },
    look,
    close: () => {
      cancelLook()
      held.clear()
    },
    snapshot: counts,
  }
}
