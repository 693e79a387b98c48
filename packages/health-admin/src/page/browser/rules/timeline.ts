import type { VerdictState } from '@baldur/health-core'
import type { Memory } from './memory.ts'
import { span } from './words.ts'

/** One line of the timeline. */
export interface TimelineItem {
  readonly key: string
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number
  readonly move?: { readonly from: VerdictState; readonly to: VerdictState }
  /** Why, or what was seen. */
  readonly text: string
  /** How long it lasted; absent for what has no length. */
  readonly lasted?: string
}

/** The moves of the verdict and what this page saw, newest first. `now` is of the server's clock. */
export function timeline({ moves, sightings }: Memory, now: number): readonly TimelineItem[] {
  const restarts = sightings.filter(({ kind }) => kind === 'restart').map(({ at }) => at)
  const times = moves.map(({ at }) => Date.parse(at))
  const told = moves.map(({ from, to, cause }, index): TimelineItem => {
    const at = times[index] ?? now
    // a new process begins healthy: what was before it ends with its start
    const end = [...times.slice(index + 1), ...restarts].filter((time) => time > at).sort((a, b) => a - b)[0]
    const lasted = end === undefined ? `${span(now - at)} so far` : `lasted ${span(end - at)}`
    return {
      key: `${at} ${from} ${to}`,
      at,
      move: { from, to },
      text: to === 'healthy' ? `after ${cause}` : cause,
      lasted,
    }
  })
  const seen = sightings.map(
    ({ at, kind, text }): TimelineItem => ({ key: `${at} ${kind} ${text}`, at, text }),
  )
  return [...told, ...seen].toSorted((a, b) => b.at - a.at)
}
