import type { Phase } from '@baldur/health-core'

/** Forward only: whoever is in one of these does not come back. */
export const isLeavingPhase = (phase: Phase): boolean =>
  phase === 'draining' || phase === 'terminating' || phase === 'terminated'
