/** How long a component has been bad, and which notices were sent. Times on one clock, in milliseconds. */
export interface Incident {
  /** Absent while the component is healthy. */
  readonly badSince?: number
  /** When the last escalation was sent, in this incident or an earlier one. */
  readonly escalatedAt?: number
  /** This incident was escalated, so its end is reported too. */
  readonly isReported: boolean
}

export const INITIAL_INCIDENT: Incident = { isReported: false }

interface EscalationBounds {
  /** How long a component must have been bad before the first escalation. */
  readonly afterMs: number
  /** Shortest time between two escalations of one component. */
  readonly againMs: number
}

/** Adds one look at a component; returns the next incident, and the notice to send if any. */
export function escalate(
  before: Incident,
  isBad: boolean,
  now: number,
  { afterMs, againMs }: EscalationBounds,
): { readonly incident: Incident; readonly notice?: 'escalation' | 'recovery' } {
  const { escalatedAt, isReported } = before
  // kept over a recovery, so that a flapping component is escalated no more often
  const last = escalatedAt === undefined ? {} : { escalatedAt }
  if (!isBad) {
    const incident = { ...last, isReported: false }
    return isReported ? { incident, notice: 'recovery' } : { incident }
  }
  const badSince = before.badSince ?? now
  const isLong = now - badSince >= afterMs
  const isAllowed = escalatedAt === undefined || now - escalatedAt >= againMs
  if (isLong && isAllowed) {
    return { incident: { badSince, escalatedAt: now, isReported: true }, notice: 'escalation' }
  }
  return { incident: { badSince, ...last, isReported } }
}
