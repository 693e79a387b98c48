import type { Escalation } from '../vocabulary/watchdog.ts'

/** What a webhook is sent. Nothing in it comes from a driver or a setting but the names. */
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
