import type { AdminState } from '../../../live/state.ts'
import type { Link } from './link.ts'

/** A server that ends with its drain tells of it once, after its last state: that state is no longer so. */
export function withDrain(state: AdminState, { drain }: Link): AdminState {
  if (drain === undefined) return state
  const { inFlight = state.in_flight, phase } = drain
  return {
    ...state,
    status: 'draining',
    readiness: 'draining',
    phase,
    ...(inFlight === undefined ? {} : { in_flight: inFlight }),
  }
}
