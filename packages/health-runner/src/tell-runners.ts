import type { Clock } from '@baldur/health-core'
import type { Drain, LongLived, OnUpgraded } from '@baldur/health-drain'
import type { OwnFleet } from './processes/create-fleet.ts'
import { FIXED } from './settings/defaults.ts'

interface Parts {
  /** It is made with what this gives. */
  readonly drain: () => Pick<Drain, 'stats'>
  readonly fleet: Pick<OwnFleet, 'stop'>
  readonly clock: Pick<Clock, 'after'>
}

/**
 * What a drain asks for a last word to whoever has a WebSocket or a stream of events open: the runners behind have it. They
 * are told to end as soon as nothing else is under way, and what they still say is passed on.
 */
export function tellRunners({ drain, fleet, clock }: Parts): OnUpgraded {
  let told: Promise<void> | undefined
  /** They are among the requests in flight; upgraded connections are not. */
  const streams = new Set<LongLived['response']>()
  const openStreams = (): number =>
    [...streams].filter((response) => response !== undefined && !response.closed).length
  const tell = async (): Promise<void> => {
    while (drain().stats().inFlight > openStreams()) {
      await new Promise<void>((resolve) => clock.after(FIXED.drainLookMs, resolve))
    }
    await fleet.stop()
  }
  return ({ response }) => {
    if (response !== undefined) streams.add(response)
    told ??= tell()
    return told
  }
}
