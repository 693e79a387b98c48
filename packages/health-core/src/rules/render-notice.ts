import type { Escalation } from '../vocabulary/watchdog.ts'

/** Renders the JSON body of a webhook notice. It contains nothing from a driver or a setting except names. */
export function renderNotice({ kind, component, status, since, at, namespace }: Escalation): object {
  return {
    event: kind,
    component,
    status,
    since: new Date(since).toISOString(),
    duration_seconds: Math.max(0, Math.round((at - since) / 1_000)),
    timestamp: new Date(at).toISOString(),
    namespace: namespace ?? null,
  }
}
