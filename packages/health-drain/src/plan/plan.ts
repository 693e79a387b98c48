import { BASE, BOUNDS, type Durations, MARGIN_MS, PRESETS, type PresetName } from './defaults.ts'

/** What was given, each from its option or its variable. */
export type Given = { readonly [Key in keyof Durations]?: number }

/** The lengths of a drain, complete. */
export interface Plan extends Durations {
  readonly preset: PresetName
  readonly marginMs: number
}

/** Why values that were given do not fit together. */
export interface Misfit {
  readonly path: keyof Durations
  readonly expected: string
  readonly got: string
}

const sum = (parts: Readonly<Record<string, number>>): string =>
  `${Object.entries(parts)
    .map(([name, ms]) => `${name} ${ms}`)
    .join(' + ')} = ${Object.values(parts).reduce((a, b) => a + b, 0)}`

/**
 * Options to a timeline. What is not given comes from the preset; where the grace period given is shorter than the
 * preset's, it shrinks in proportion, so that it always fits. Requests get what remains, unless they have a time of their own.
 */
export function makePlan(
  preset: PresetName,
  given: Given,
): { readonly plan: Plan; readonly misfits: readonly Misfit[] } {
  const usual = { ...BASE, ...PRESETS[preset] }
  const gracePeriodMs = given.gracePeriodMs ?? usual.gracePeriodMs
  const scale = Math.min(1, gracePeriodMs / usual.gracePeriodMs)
  const fitted = (ms: number): number => Math.floor(ms * scale)

  const preStopMs = given.preStopMs ?? usual.preStopMs
  const marginMs = fitted(MARGIN_MS)
  const shutdownDelayMs = given.shutdownDelayMs ?? fitted(usual.shutdownDelayMs)
  const hookTimeoutMs = given.hookTimeoutMs ?? fitted(usual.hookTimeoutMs)
  const readinessDelayMs = given.readinessDelayMs ?? Math.min(fitted(usual.readinessDelayMs), shutdownDelayMs)
  // half of a short delay still tells clients to move away
  const settleMs = given.settleMs ?? Math.min(BASE.settleMs, Math.floor(shutdownDelayMs / 2))

  const spent = { preStopMs, shutdownDelayMs, hookTimeoutMs, margin: marginMs }
  const remains = gracePeriodMs - preStopMs - shutdownDelayMs - hookTimeoutMs - marginMs
  const requestTimeoutMs = given.requestTimeoutMs ?? remains
  const lingerMs = given.lingerMs ?? Math.min(BASE.lingerMs, Math.max(0, requestTimeoutMs))

  const misfits: Misfit[] = []
  const atMost = (path: keyof Durations, value: number, other: keyof Durations, limit: number): void => {
    if (value > limit)
      misfits.push({
        path,
        expected: `at most ${other} (${limit} milliseconds)`,
        got: `${value} milliseconds`,
      })
  }
  atMost('readinessDelayMs', readinessDelayMs, 'shutdownDelayMs', shutdownDelayMs)
  atMost('settleMs', settleMs, 'shutdownDelayMs', shutdownDelayMs)
  const needed = given.requestTimeoutMs ?? BOUNDS.requestTimeoutMs.min
  if (needed > remains) {
    misfits.push({
      path: 'gracePeriodMs',
      expected: `at least what the drain takes: ${sum({ ...spent, requestTimeoutMs: needed })} milliseconds`,
      got: `${gracePeriodMs} milliseconds`,
    })
  } else {
    atMost('lingerMs', lingerMs, 'requestTimeoutMs', requestTimeoutMs)
  }
  const plan = {
    ...{ preset, preStopMs, readinessDelayMs, shutdownDelayMs, settleMs, lingerMs },
    ...{ requestTimeoutMs, hookTimeoutMs, marginMs, gracePeriodMs },
  }
  return { plan, misfits }
}
