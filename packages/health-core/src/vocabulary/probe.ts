/** The probes, one endpoint each. */
export const PROBES = ['health', 'live', 'ready', 'startup', 'pool', 'ping'] as const

/** A question from outside, one per endpoint. */
export type Probe = (typeof PROBES)[number]
