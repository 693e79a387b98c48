import type { CheckState } from '../../../live/state.ts'
import { isWavering } from './meaning.ts'
import { toneOfCheck } from './tone.ts'
import { count } from './words.ts'

const ORDER = ['bad', 'warn', 'unknown', 'busy', 'good']

/** What is wrong first, else as they come. */
export const arrangeChecks = (checks: readonly CheckState[]): readonly CheckState[] =>
  checks.toSorted((a, b) => ORDER.indexOf(toneOfCheck(a)) - ORDER.indexOf(toneOfCheck(b)))

/** How they are in all: "40 checks, 3 failing, 1 not yet run". */
export function sumUp(checks: readonly CheckState[]): string {
  if (checks.length === 0) return 'none configured'
  const failing = checks.filter(({ status }) => status === 'unhealthy' || status === 'timed_out').length
  const unknown = checks.filter(({ status }) => status === 'unknown').length
  const wavering = checks.filter(isWavering).length
  return [
    count(checks.length, 'check'),
    failing === 0 ? '' : `${failing} failing`,
    wavering === 0 ? '' : `${wavering} failed in its last run`,
    unknown === 0 ? '' : `${unknown} not yet run`,
    failing + wavering + unknown === 0 ? 'all usable' : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
