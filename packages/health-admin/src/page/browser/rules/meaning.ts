import type { AdminState, CheckState } from '../../../live/state.ts'
import { count } from './words.ts'

const MEANINGS: Readonly<Record<string, string>> = {
  degraded: 'Something that is not critical fails.',
  unhealthy: 'A critical check fails.',
  starting: 'Its setup has not ended.',
  failed: 'Its setup has failed: this process will never be ready.',
  error: 'The health check itself has failed: the log of the process says why.',
  unavailable: 'The verdict could not be found in time.',
}

/** More of them are counted. */
const MOST_NAMES = 3

/** What a verdict means, in a sentence or two. Of traffic it says what readiness says: the verdict takes nothing out. */
export function meaningOf(state: AdminState): string {
  const { status, checks, in_flight: inFlight } = state
  if (status === 'draining') {
    const left = inFlight === undefined ? '' : ` ${count(inFlight, 'request')} in flight.`
    return `A drain has begun: new traffic goes elsewhere, what is under way is finished.${left}`
  }
  if (status === 'failed') return MEANINGS.failed ?? ''
  if (status === 'healthy') return join(usable(checks), state.readiness === 'ready' ? '' : trafficOf(state))
  const isUnchecked = status === 'unhealthy' && checks.every(({ critical }) => !critical)
  const what = isUnchecked
    ? 'Nothing critical is checked, so nothing is known: that is not healthy.'
    : (MEANINGS[status] ?? '')
  return join(what, trafficOf(state))
}

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

function trafficOf({ status, readiness }: AdminState): string {
  if (readiness === 'starting') return 'No traffic yet.'
  if (readiness !== 'ready') return 'It is not ready: balancers take this instance out.'
  return status === 'degraded'
    ? 'It is ready: it serves traffic.'
    : 'Readiness says ready all the same: balancers leave this instance in.'
}

/** The last run of a check that counts as usable has failed: its `fall` has not been reached. */
export const isWavering = ({ status, problem, recent }: CheckState): boolean =>
  status === 'healthy' && (problem !== undefined || recent.at(-1)?.ok === false)

function usable(checks: readonly CheckState[]): string {
  const names = checks.filter(isWavering).map(({ name }) => name)
  if (names.length === 0) return 'Every check is usable.'
  const more = names.length - MOST_NAMES
  const who = [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])]
  const last = who.length === 1 ? who[0] : `${who.slice(0, -1).join(', ')} and ${who.at(-1)}`
  return names.length === 1
    ? `The last run of ${last} has failed; its fall, the failures in a row that count, has not been reached.`
    : `The last runs of ${last} have failed; their fall, the failures in a row that count, has not been reached.`
}
