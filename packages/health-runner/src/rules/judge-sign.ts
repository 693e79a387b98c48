import type { EndReason } from '../vocabulary/runner-state.ts'
import type { Sign } from '../vocabulary/sign.ts'

/** What a runner shows that is to be ended for it, if the guard allows. */
export type IllReason = Extract<
  EndReason,
  'answered_503' | 'timed_out' | 'connection_broken' | 'health_check_failed'
>

/** What a sign says of its runner: that it serves, nothing, or why it is ill. */
export function judgeSign(sign: Sign): 'well' | 'nothing' | IllReason {
  switch (sign.kind) {
    case 'answered':
      if (sign.status < 500) return 'well'
      // 504: what it asked is ill, not it; any other is a fault of that one request
      return sign.status === 503 ? 'answered_503' : 'nothing'
    case 'broken':
      return 'connection_broken'
    case 'timed_out':
      return 'timed_out'
    case 'untold':
      return 'nothing'
  }
}
