/** The questions that a prober can ask, one endpoint each. */
export const PROBES = ['health', 'live', 'ready', 'startup', 'pool', 'ping'] as const

/** A question from outside. */
export type Probe = (typeof PROBES)[number]
