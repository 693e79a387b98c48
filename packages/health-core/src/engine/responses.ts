import type { Clock } from '../machinery/clock.ts'
import { createHold, type Hold } from '../machinery/hold.ts'
import type { Seen, Weighed } from '../rules/decide.ts'
import { problem } from '../rules/problem.ts'
import type { ObserveResponse } from '../vocabulary/observe.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Reading } from '../vocabulary/reading.ts'

/** The numbers for judging the app's own responses; `holdMs` in milliseconds. */
interface Bounds {
  readonly fall: number
  readonly holdMs: number
}

/**
 * Judges the app by its own responses: several 503 in a row take the instance out of rotation for a while; a 504 (a
 * dependency of the app is unhealthy, not the app) degrades the verdict. Any other status resets the count of 503.
 */
export interface Responses {
  /** Starts to count responses and adds the check `responses`. Calling it again changes nothing. */
  begin(bounds: Bounds): ObserveResponse
  /** The bounds of the first `begin`; undefined before it. */
  readonly bounds: Bounds | undefined
  /** Empty before `begin`. */
  readiness(): readonly Seen[]
  verdict(): readonly Weighed[]
  /** Increases whenever its reading may have changed. */
  version(): number
  /** Stops counting; like every check it reads not usable from then on. */
  stop(): void
}

export const RESPONSES = 'responses'
const USABLE: Reading = { status: 'usable', wasUsable: true }
const UNUSABLE: Reading = { status: 'unusable', wasUsable: true }

export function createResponses(
  clock: Clock,
  /** While true, responses are not counted: an instance in setup or drain may answer 503. */
  isPaused: () => boolean,
  onChange: (outcome: Outcome) => void,
): Responses {
  const counted = new WeakSet<object>()
  let begun:
    | {
        readonly bounds: Bounds
        readonly notReadyHold: Hold
        readonly degradeHold: Hold
        readonly observe: ObserveResponse
      }
    | undefined
  let consecutive503 = 0
  let version = 0
  let isStopped = false

  const change = (): void => {
    version += 1
    const code = begun?.notReadyHold.isOn
      ? 'ANSWERED_503'
      : begun?.degradeHold.isOn
        ? 'ANSWERED_504'
        : undefined
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
      const notReadyHold = createHold(clock, bounds.holdMs, () => {
        consecutive503 = 0
        change()
      })
      const degradeHold = createHold(clock, bounds.holdMs, change)
      // a plain JavaScript caller may leave the response out: the status still counts
      const observe: ObserveResponse = (status, response = {}) => {
        if (isStopped || isPaused() || counted.has(response)) return
        counted.add(response)
        consecutive503 = status === 503 ? consecutive503 + 1 : 0
        if (consecutive503 >= bounds.fall) hold(notReadyHold)
        if (status === 504) hold(degradeHold)
      }
      begun = { bounds, notReadyHold, degradeHold, observe }
      version += 1
      return observe
    },
    get bounds() {
      return begun?.bounds
    },
    readiness: () =>
      begun === undefined
        ? []
        : [{ name: RESPONSES, reading: isStopped || begun.notReadyHold.isOn ? UNUSABLE : USABLE }],
    verdict: () => {
      if (begun === undefined) return []
      const { notReadyHold, degradeHold } = begun
      const isDown = isStopped || notReadyHold.isOn
      const reading = isDown || degradeHold.isOn ? UNUSABLE : USABLE
      return [{ name: RESPONSES, reading, weight: isDown ? 'unhealthy' : 'degraded' }]
    },
    version: () => version,
    stop: () => {
      isStopped = true
      version += 1
      begun?.notReadyHold.stop()
      begun?.degradeHold.stop()
    },
  }
}
