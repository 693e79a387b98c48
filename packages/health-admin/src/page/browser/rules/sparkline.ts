import type { RecentRun } from '../../../live/state.ts'
import { count, latency } from './words.ts'

/** The drawing of the last runs: a line through what they took, and a mark where one was not usable. */
export interface Sparkline {
  readonly line: string
  /** An upright bar for each failed run. */
  readonly marks: string
  /** For who cannot see it. */
  readonly label: string
}

/** The drawing's own units. */
export const WIDTH = 120
export const HEIGHT = 24
/** As many runs as fit; fewer stand at the right, where now is. */
const MOST = 60
const TOP = 4
const BOTTOM = HEIGHT - 2
/** Below it differences are noise. */
const MIN_TOP_MS = 1
const FAR = 5

const at = (value: number): string => String(Math.round(value * 10) / 10)

/** A failed run takes as long as its timeout, often: the scale is that of the usable ones. */
export function sparkline(runs: readonly RecentRun[]): Sparkline {
  const shown = runs.slice(-MOST)
  const usable = shown.filter(({ ok }) => ok).map(({ ms }) => ms)
  const top = topOf(usable)
  const points = shown.map(({ ms, ok }, index) => {
    const x = WIDTH - 2 - ((shown.length - 1 - index) * (WIDTH - 4)) / (MOST - 1)
    return { ok, x, y: BOTTOM - (Math.min(ms, top) / top) * (BOTTOM - TOP) }
  })
  return { line: lineOf(points), marks: marksOf(points), label: labelOf(shown, usable) }
}

/** A first run that made its connection would flatten all that follow: what takes far longer than usual stays at the top. */
function topOf(usable: readonly number[]): number {
  const median = usable.toSorted((a, b) => a - b)[usable.length >> 1] ?? 0
  return Math.max(MIN_TOP_MS, Math.min(Math.max(...usable), FAR * median))
}

interface Point {
  readonly ok: boolean
  readonly x: number
  readonly y: number
}

/** Only through usable runs: a failed one interrupts it. */
function lineOf(points: readonly Point[]): string {
  return points
    .map(({ ok, x, y }, index) => {
      if (!ok) return ''
      const isDrawn = points[index - 1]?.ok === true
      const isAlone = !isDrawn && points[index + 1]?.ok !== true
      // a line of no length is a dot where its ends are round
      return `${isDrawn ? 'L' : 'M'}${at(x)} ${at(y)}${isAlone ? 'h0' : ''}`
    })
    .join('')
}

const marksOf = (points: readonly Point[]): string =>
  points
    .filter(({ ok }) => !ok)
    .map(({ x }) => `M${at(x)} 1V${HEIGHT - 1}`)
    .join('')

function labelOf(shown: readonly RecentRun[], usable: readonly number[]): string {
  if (shown.length === 0) return 'no run yet'
  const failed = shown.length - usable.length
  const slowest = usable.length === 0 ? '' : `, the slowest usable one ${latency(Math.max(...usable))}`
  return `last ${count(shown.length, 'run')}: ${failed === 0 ? 'none' : failed} failed${slowest}`
}
