import { isLeavingPhase } from './rules/is-leaving-phase.ts'
import type { AdminSettings } from './settings/read-settings.ts'

/** Whoever is leaving has nothing to show any more. */
export const isLeaving = ({ health, drain }: Pick<AdminSettings, 'health' | 'drain'>): boolean =>
  drain?.signal.aborted === true || isLeavingPhase(health.phase)

/** How often a drain that is served through is asked whether it has ended, in milliseconds. */
const ASK_MS = 100

/** Calls `leave` once: when a drain begins, or, where the server serves through it, when it has ended. Returns what forgets it. */
export function onLeaving(
  { health, drain, duringDrain, clock }: Pick<AdminSettings, 'health' | 'drain' | 'duringDrain' | 'clock'>,
  leave: () => void,
): () => void {
  let hasBegun = false
  let cancel = (): void => undefined
  const untilEnded = (): void => {
    const phases = [health.phase, drain?.phase]
    if (phases.includes('terminated')) leave()
    else cancel = clock.after(ASK_MS, untilEnded)
  }
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    if (duringDrain === 'stop') leave()
    else untilEnded()
  }
  const off = health.on('phase', ({ to }) => {
    // at once: whoever exits with the end of its drain, which it has told the health, does so in the same turn
    if (to === 'terminated') leave()
    else if (isLeaving({ health, drain })) begin()
  })
  drain?.signal.addEventListener('abort', begin, { once: true })
  // it may have begun while the server came up
  if (isLeaving({ health, drain })) begin()
  return () => {
    off()
    drain?.signal.removeEventListener('abort', begin)
    cancel()
  }
}
