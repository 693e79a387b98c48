import type { Clock, Logger } from '@baldur/health-core'
import {
  afterGoodAnswer,
  afterOwnDeath,
  allowedEndings,
  counted,
  type Ending,
  isOfSilence,
  withinWindow,
} from '../rules/guard.ts'
import type { IllReason } from '../rules/judge-sign.ts'
import { FIXED } from '../settings/defaults.ts'
import type { FleetSnapshot, GuardEvent } from '../vocabulary/fleet.ts'

/** A process that may be ended for what it showed. */
export interface Guarded {
  readonly place: number
  readonly number: number
  readonly name: string
}

/** Keeps one ill dependency from ending everybody. */
export interface Guard {
  /** Calls `end`, which counts, or holds the process. `end` may be called later, when there is room again. */
  judge(guarded: Guarded, reason: IllReason, end: () => void): void
  /** What it is held for. */
  heldFor(guarded: Guarded): IllReason | undefined
  /** It has answered below 500: it is free, if it was held so are those held for a 503 or a break, and the endings before it in its place stop counting. */
  answeredWell(guarded: Guarded): void
  /** It is well, but has answered no request. */
  free(guarded: Guarded): void
  /** It leaves: there is nothing to hold any more. */
  leaves(guarded: Guarded): void
  /** It had died before it was told to end. */
  diedByItself(guarded: Guarded): void
  /** To be called when there are to be more or fewer runners. */
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
  const held = new Map<Guarded, { readonly reason: IllReason; readonly end: () => void }>()
  let cancelLook = (): void => {}

  const counts = (): FleetSnapshot['guard'] => {
    endings = withinWindow(endings, clock.now(), FIXED.guardWithinMs)
    return { ended: counted(endings), allowed: allowedEndings(wanted(), FIXED.guardShare) }
  }
  const hasRoom = (): boolean => {
    const { ended, allowed } = counts()
    return ended < allowed
  }
  const count = ({ place, number }: Guarded, reason: IllReason, end: () => void): void => {
    endings = [...endings, { place, number, reason, at: clock.now(), isProven: false }]
    end()
  }
  const hold = (guarded: Guarded, reason: IllReason, end: () => void): void => {
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
      endings = afterGoodAnswer(endings, guarded.place, guarded.number, FIXED.guardProofs)
      if (counted(endings) < before) look()
    },
    free: (guarded) => void free(guarded, 'its health check is good'),
    leaves: (guarded) => void held.delete(guarded),
    diedByItself: ({ place, number }) => {
      endings = afterOwnDeath(endings, place, number)
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
