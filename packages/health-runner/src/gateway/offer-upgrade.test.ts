import { systemClock } from '@baldur/health-core/internal'
import { describe, expect, it } from 'vitest'
import { handFleet } from '../testing/hand-fleet.ts'
import type { Sink } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import { offerUpgrade } from './offer-upgrade.ts'

const nowhere: Sink = {
  head: () => undefined,
  data: () => true,
  whenReady: () => undefined,
  end: () => undefined,
}

describe('an offer', () => {
  it.each<[string, string, readonly string[]]>([
    ['target', '/a b', []],
    ['header', '/', ['X', 'a\nb']],
  ])('whose %s cannot be sent is no evidence about the runner', async (_, target, headers) => {
    const fleet = handFleet()
    fleet.add('1.1', 1)
    const { signal: gone } = new AbortController()
    const options = { timeoutMs: 1_000, gone, clock: systemClock }
    const end = await offerUpgrade(fleet.take('direct') as Lease, { target, headers }, nowhere, options)
    expect(end).toMatchObject({ kind: 'failed', type: 'bad_request', wasHandedOver: false })
    expect(fleet.given[0]?.signs).toEqual([{ kind: 'inconclusive' }])
  })
})
