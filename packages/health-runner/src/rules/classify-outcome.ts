import type { RequestOutcome } from '../vocabulary/request-outcome.ts'
import type { EndReason } from '../vocabulary/runner-state.ts'

/** Why a runner is unhealthy and is to be ended, if the guard allows it. */
export type UnhealthyReason = Extract<
  EndReason,
  'answered_503' | 'timed_out' | 'connection_broken' | 'health_check_failed'
>

/** Classifies a request outcome: the runner is healthy, nothing is known, or the reason why it is unhealthy. */
export function classifyOutcome(outcome: RequestOutcome): 'healthy' | 'nothing' | UnhealthyReason {
  switch (outcome.kind) {
    case 'answered':
      if (outcome.status < 500) return 'healthy'
      // 504: a dependency is unhealthy, not the runner; any other 5xx is a fault of that one request
      return outcome.status === 503 ? 'answered_503' : 'nothing'
    case 'broken':
      return 'connection_broken'
    case 'timed_out':
      return 'timed_out'
    case 'inconclusive':
      return 'nothing'
  }
}
