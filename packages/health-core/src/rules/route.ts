import type { Probe } from '../vocabulary/probe.ts'

/** A request for one of the endpoints. */
export interface Route {
  readonly probe: Probe
  /** Whether the query contains `nocache=true`. */
  readonly nocache: boolean
}

const NOCACHE = /(?:^|&)nocache=true(?:&|$)/

/**
 * Returns the probe that a raw target names, or undefined for any other target. Case-sensitive and undecoded; one trailing slash
 * and any query are allowed. This is the whole cost for ordinary traffic.
 */
export function route(target: string, prefix: string, probes: ReadonlyMap<string, Probe>): Route | undefined {
  if (!target.startsWith(prefix)) return undefined
  const mark = target.indexOf('?', prefix.length)
  let end = mark === -1 ? target.length : mark
  if (end > prefix.length && target.charCodeAt(end - 1) === 47) end -= 1
  const probe = probes.get(target.slice(prefix.length, end))
  if (probe === undefined) return undefined
  return { probe, nocache: mark !== -1 && NOCACHE.test(target.slice(mark + 1)) }
}
