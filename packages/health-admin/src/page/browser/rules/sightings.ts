import type { AdminState } from '../../../live/state.ts'
import type { Link } from './link.ts'
import type { Sighting } from './memory.ts'
import { span } from './words.ts'

/** What is worth a line in the timeline when the connection has changed; `at` is the browser's time. */
export function linkSighting(link: Link, before: Link, at: number): Sighting | undefined {
  if (link.kind === 'live' && link.drain !== undefined && before.drain === undefined)
    return { at, kind: 'drain', text: 'A drain has begun' }
  if (link.kind === before.kind) return undefined
  if (link.kind === 'lost') return { at: link.since, kind: 'lost', text: 'Lost the server' }
  if (link.kind === 'ended') return { at, kind: 'ended', text: 'Drained, then ended' }
  const wasGone = before.kind === 'lost' || before.kind === 'ended'
  if (link.kind === 'live' && wasGone)
    return { at, kind: 'back', text: `Answers again, after ${span(at - before.since)}` }
  return undefined
}

/** What is worth a line when a state differs from the one before. */
export function stateSighting(before: AdminState | undefined, state: AdminState): Sighting | undefined {
  const isSame = before?.instance.started_at === state.instance.started_at
  if (before === undefined || !isSame || before.self_healing === state.self_healing) return undefined
  const text = `Self-healing was switched ${state.self_healing ? 'on' : 'off'}`
  return { at: Date.parse(state.at), kind: 'switch', text }
}
