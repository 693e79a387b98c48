import type { Logger } from '../vocabulary/logger.ts'
import type { CheckSnapshot } from '../vocabulary/snapshot.ts'
import type { CheckSlot } from './check-slot.ts'
import { gaugesOf } from './gauges.ts'

/** What is known of a check now. Asks nothing. */
export function snapshotOf(slot: CheckSlot, now: number, logger: Logger): CheckSnapshot {
  const { check, name, healthName, vendor, critical } = slot.entry
  const { status, latest } = slot.read()
  return {
    name,
    healthName,
    vendor,
    critical,
    status: latest === undefined ? 'unknown' : status,
    ...(latest === undefined ? {} : { latest, ageMs: Math.max(0, now - slot.seenAt) }),
    runningMs: slot.outstandingMs(),
    gauges: gaugesOf(check, logger),
  }
}
