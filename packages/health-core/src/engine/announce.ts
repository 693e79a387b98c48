import { channel } from 'node:diagnostics_channel'
import type { VerdictTransition } from '../vocabulary/verdict-transition.ts'

/** Diagnostics channel that publishes the transitions of every verdict in this process, for tracing tools that have no `Health`. */
const VERDICT_CHANNEL = 'baldur:health:verdict'

/** Publishes a transition on `node:diagnostics_channel`. Node turns an error of a subscriber into an uncaught exception. */
export function announce(namespace: string | undefined, move: VerdictTransition): void {
  const moves = channel(VERDICT_CHANNEL)
  if (moves.hasSubscribers) moves.publish({ ...move, namespace })
}
