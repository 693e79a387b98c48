import type { Clock } from '../machinery/clock.ts'
import { createHold, type Hold } from '../machinery/hold.ts'
import type { Seen, Weighed } from '../rules/decide.ts'
import { problem } from '../rules/problem.ts'
import type { ObserveResponse } from '../vocabulary/observe.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Reading } from '../vocabulary/reading.ts'

/** How the app's own answers are judged; in milliseconds. */
interface Bounds {
  readonly fall: number
  readonly holdMs: number
}

/**
 * What the app's own answers say about it, without asking anything: 503 several times in a row takes it out of rotation
 * for a while; a 504 (something behind it is ill, not it) degrades it. Every other answer ends the row and changes
 * nothing else.
 */
export interface Responses {
  /** From now on it is read as a check. Calling it again changes nothing. */
  begin(bounds: Bounds): ObserveResponse
  /** What it began with; undefined before. */
  readonly bounds: Bounds | undefined
  /** Empty before it begins. */
  readiness(): readonly Seen[]
  verdict(): readonly Weighed[]
  /** Goes up whenever what it reads may have changed. */
  version(): number
  /** Counts nothing more, and reads not usable from then on, like every check. */
  stop(): void
}

export const RESPONSES = 'responses'
const USABLE: Reading = { status: 'usable', wasUsable: true }
const UNUSABLE: Reading = { status: 'unusable', wasUsable: true }

export function createResponses(
  clock: Clock,
  /** While it says so nothing is counted: an instance that is not set up yet, or leaves, may answer 503. */
  isAway: () => boolean,
  onChange: (outcome: Outcome) => void,
): Responses {
  const counted = new WeakSet<object>()
  let begun:
    | {
        readonly bounds: Bounds
        readonly refuses: Hold
        readonly strains: Hold
        readonly observe: ObserveResponse
      }
    | undefined
  let row = 0
  let version = 0
  let isStopped = false

  const change = (): void => {
    version += 1
    const code = begun?.refuses.isOn ? 'ANSWERED_503' : begun?.strains.isOn ? 'ANSWERED_504' : undefined
    onChange(code === undefined ? { kind: 'usable' } : { kind: 'unusable', problem: problem(code) })
  }
  const hold = (held: Hold): void => {
    const wasOn = held.isOn
    held.begin()
    if (!wasOn) change()
  }

  return {
    begin: (bounds) => {
      if (begun !== undefined) return begun.observe
      const refuses = createHold(clock, bounds.holdMs, () => {
        row = 0
        change()
      })
      const strains = createHold(clock, bounds.holdMs, change)
      // told without its response, as JavaScript can, it counts all the same
      const observe: ObserveResponse = (status, response = {}) => {
        if (isStopped || isAway() || counted.has(response)) return
        counted.add(response)
        row = status === 503 ? row + 1 : 0
        if (row >= bounds.fall) hold(refuses)
        if (status === 504) hold(strains)
      }
      begun = { bounds, refuses, strains, observe }
      version += 1
      return observe
    },
    get bounds() {
      return begun?.bounds
    },
    readiness: () =>
      begun === undefined
        ? []
        : [{ name: RESPONSES, reading: isStopped || begun.refuses.isOn ? UNUSABLE : USABLE }],
    verdict: () => {
      if (begun === undefined) return []
      const { refuses, strains } = begun
      const isDown = isStopped || refuses.isOn
      const reading = isDown || strains.isOn ? UNUSABLE : USABLE
      return [{ name: RESPONSES, reading, weight: isDown ? 'unhealthy' : 'degraded' }]
    },
    version: () => version,
    stop: () => {
      isStopped = true
      version += 1
      begun?.refuses.stop()
      begun?.strains.stop()
    },
  }
}
