import type { CheckState } from '../../../live/state.ts'
import { arrangeChecks, sumUp } from '../rules/arrange-checks.ts'
import { sparkline } from '../rules/sparkline.ts'
import { toneOfCheck } from '../rules/tone.ts'
import { age, gauge, latency, plain, span } from '../rules/words.ts'
import { byId, part, setAttribute, setText } from './elements.ts'
import { rows } from './rows.ts'
import { showTone } from './show-tone.ts'

/** A run under way is worth a word from here on. */
const LONG_RUN_MS = 1_000

/** Shows the checks; `sinceMs` is how old what is known of them is. */
export function checksView(): (checks: readonly CheckState[], sinceMs: number) => void {
  let elapsed = 0
  const show = rows<CheckState>(
    byId('checks'),
    'check-row',
    ({ name }) => name,
    (row, check) => fill(row, check, elapsed),
  )
  return (checks, sinceMs) => {
    elapsed = sinceMs
    setText(byId('checks-sum'), sumUp(checks))
    byId('checks-head').hidden = checks.length === 0
    show(arrangeChecks(checks))
  }
}

function fill(row: Element, check: CheckState, elapsed: number): void {
  showTone(row, toneOfCheck(check))
  setText(part(row, '.label'), check.name)
  setText(part(row, '.tag'), tagOf(check))
  setText(part(row, '.state'), check.status === 'unknown' ? 'not yet run' : plain(check.status))
  setText(part(row, '.took .value'), check.duration_ms === undefined ? '–' : latency(check.duration_ms))
  setText(part(row, '.age .value'), check.age_ms === undefined ? 'never' : age(check.age_ms + elapsed))
  setText(part(row, '.problem'), check.problem ?? '')
  setText(part(row, '.running'), runningOf(check, elapsed))
  setText(part(row, '.gauges'), gaugesOf(check))
  const { line, marks, label } = sparkline(check.recent)
  setAttribute(part(row, '.runs'), 'aria-label', label)
  setAttribute(part(row, '.line'), 'd', line)
  setAttribute(part(row, '.marks'), 'd', marks)
}

const tagOf = ({ vendor, critical }: CheckState): string =>
  [vendor, critical ? undefined : 'not critical'].filter((word) => word !== undefined).join(', ')

function runningOf({ running_ms }: CheckState, elapsed: number): string {
  return running_ms > LONG_RUN_MS
    ? `A run has been waiting for its answer for ${span(running_ms + elapsed)}.`
    : ''
}

const gaugesOf = ({ gauges }: CheckState): string =>
  Object.entries(gauges)
    .map(([name, value]) => gauge(name, value))
    .join(' · ')
