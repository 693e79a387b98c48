import type { Logger } from '../vocabulary/logger.ts'
import type { CheckSnapshot } from '../vocabulary/snapshot.ts'
import type { CheckSlot } from './check-slot.ts'
import { gaugesOf } from './gauges.ts'

/** Returns everything known about a check now; starts no run. */
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
