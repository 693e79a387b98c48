import { escalate, INITIAL_INCIDENT, type Incident } from '../rules/escalate.ts'
import type { Escalation, WatchdogReport } from '../vocabulary/watchdog.ts'

/** Follows each component over many looks and sends an escalation when it stays bad, and a recovery when it is healthy again. */
export function createEscalations(
  bounds: { readonly afterMs: number; readonly againMs: number },
  onEscalation: (escalation: Escalation) => void,
): (report: WatchdogReport, now: number) => void {
  const incidents = new Map<string, Incident>()
  return ({ components, at }, now) => {
    for (const [component, status] of Object.entries(components)) {
      const before = incidents.get(component) ?? INITIAL_INCIDENT
      const step = escalate(before, status !== 'healthy', now, bounds)
      incidents.set(component, step.incident)
      if (step.notice === undefined) continue
      const badMs = now - (before.badSince ?? now)
      onEscalation({ kind: step.notice, component, status, since: at - badMs, at })
    }
  }
}
