/** How long a component has been bad, and what was told of it. Times on one clock, in milliseconds. */
export interface Incident {
  /** Absent while it is well. */
  readonly badSince?: number
  /** When it was last told that it is bad, in this incident or an earlier one. */
  readonly escalatedAt?: number
  /** This incident was told, so its end will be. */
  readonly isTold: boolean
}

export const NO_INCIDENT: Incident = { isTold: false }

interface Patience {
  /** For so long it must have been bad. */
  readonly afterMs: number
  /** Between two escalations of one component. */
  readonly againMs: number
}

/** One more look at a component: what to remember of it, and what to tell. */
export function escalate(
  before: Incident,
  isBad: boolean,
  now: number,
  { afterMs, againMs }: Patience,
): { readonly incident: Incident; readonly tell?: 'escalation' | 'recovery' } {
  const { escalatedAt, isTold } = before
  // kept over a recovery: a component that comes and goes is told of no more often
  const last = escalatedAt === undefined ? {} : { escalatedAt }
  if (!isBad) {
    const incident = { ...last, isTold: false }
    return isTold ? { incident, tell: 'recovery' } : { incident }
  }
  const badSince = before.badSince ?? now
  const isLong = now - badSince >= afterMs
  const isAllowed = escalatedAt === undefined || now - escalatedAt >= againMs
  if (isLong && isAllowed) {
    return { incident: { badSince, escalatedAt: now, isTold: true }, tell: 'escalation' }
  }
  return { incident: { badSince, ...last, isTold } }
}
