import { channel } from 'node:diagnostics_channel'
import type { VerdictTransition } from '../vocabulary/verdict-transition.ts'

/** Where moves of every verdict in this process can be heard without holding its health, by tracing tools say. */
const VERDICT_CHANNEL = 'baldur:health:verdict'

/** Tells subscribers of `node:diagnostics_channel`. One that throws ends up as Node has it: as an uncaught exception of its own. */
export function announce(namespace: string | undefined, move: VerdictTransition): void {
  const moves = channel(VERDICT_CHANNEL)
  if (moves.hasSubscribers) moves.publish({ ...move, namespace })
}
