import type { AdminState } from '../../../live/state.ts'
import { departure } from './departure.ts'
import type { Link } from './link.ts'
import type { Sighting } from './memory.ts'
import { span } from './words.ts'

/** What is worth a line in the timeline when the connection has changed; `at` is the browser's time. */
export function linkSighting(link: Link, before: Link, at: number): Sighting | undefined {
  const { kind, drain } = link
  if (kind === 'live' && drain !== undefined && isOther(drain, before.drain)) {
    const text = drain.at === undefined ? 'Seen in a drain: its beginning was not seen' : 'A drain has begun'
    return { at, kind: 'drain', text }
  }
  if (kind === before.kind) return undefined
  if (kind === 'lost')
    return {
      ...{ at: link.since, kind },
      text: before.kind === 'paused' ? 'No answer after a pause' : 'Lost the server',
    }
  if (kind === 'left' && drain !== undefined) return { at: link.since, kind, text: departure(drain).line }
  const wasGone = before.kind === 'lost' || before.kind === 'left'
  if (kind === 'live' && wasGone)
    return { at, kind: 'back', text: `Answers again, after ${span(at - before.since)}` }
  return undefined
}

/** A break does not make another drain of it, another process does. */
const isOther = (drain: NonNullable<Link['drain']>, before: Link['drain']): boolean =>
  before === undefined || before.instance !== drain.instance

/** What is worth a line when a state differs from the one before. */
export function stateSighting(before: AdminState | undefined, state: AdminState): Sighting | undefined {
  const isSame = before?.instance.started_at === state.instance.started_at
  if (before === undefined || !isSame || before.self_healing === state.self_healing) return undefined
  const text = `Self-healing was switched ${state.self_healing ? 'on' : 'off'}`
  return { at: Date.parse(state.at), kind: 'switch', text }
}
