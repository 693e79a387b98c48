import { escalate, type Incident, NO_INCIDENT } from '../rules/escalate.ts'
import type { Escalation, WatchdogReport } from '../vocabulary/watchdog.ts'

/** Follows each component over many looks, and tells when one has been bad for long and when it is well again. */
export function createEscalations(
  patience: { readonly afterMs: number; readonly againMs: number },
  tell: (escalation: Escalation) => void,
): (report: WatchdogReport, now: number) => void {
  const incidents = new Map<string, Incident>()
  return ({ components, at }, now) => {
    for (const [component, status] of Object.entries(components)) {
      const before = incidents.get(component) ?? NO_INCIDENT
      const step = escalate(before, status !== 'healthy', now, patience)
      incidents.set(component, step.incident)
      if (step.tell === undefined) continue
      const badMs = now - (before.badSince ?? now)
      tell({ kind: step.tell, component, status, since: at - badMs, at })
    }
  }
}
