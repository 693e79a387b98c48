import { CHECK } from './check-instruments.ts'
import type { Instrument } from './instrument.ts'
import { one, states } from './samples.ts'
import { COMPONENT_STATUSES, WATCHDOG_STATUSES } from './states.ts'

/** What else this process says of itself: its drain, its watchdog, its self-healing. */
export const PROCESS_INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'drain.in_flight_requests',
    kind: 'gauge',
    unit: '{request}',
    help: 'Requests and tracked work that have not ended, probes left out',
    labels: {},
    needs: 'drain',
    read: ({ drain }) => one(drain?.inFlight),
  },
  {
    name: 'drain.connections',
    kind: 'gauge',
    unit: '{connection}',
    help: 'Open connections',
    labels: {},
    needs: 'drain',
    read: ({ drain }) => one(drain?.connections),
  },
  {
    name: 'drain.refused_requests',
    kind: 'counter',
    unit: '{request}',
    help: 'Requests that were answered 503 because they came late in a drain',
    labels: {},
    needs: 'drain',
    read: ({ drain }) => one(drain?.refused),
  },
  {
    name: 'drain.aborted_requests',
    kind: 'counter',
    unit: '{request}',
    help: 'Requests and tracked work that a drain broke off',
    labels: {},
    needs: 'drain',
    read: ({ drain }) => one(drain?.aborted),
  },
  {
    name: 'watchdog.status',
    kind: 'state',
    help: "The worst of the watchdog's components; 1 for the current status, absent before its first look and in a drain",
    labels: { status: WATCHDOG_STATUSES },
    needs: 'watchdog',
    read: ({ watchdog }) => states('status', WATCHDOG_STATUSES, watchdog?.status),
  },
  {
    name: 'watchdog.component_status',
    kind: 'state',
    help: 'What the watchdog sees of one part of this process; 1 for the current status, absent before its first look and in a drain',
    labels: { component: 'a component of the watchdog', status: COMPONENT_STATUSES },
    needs: 'watchdog',
    read: ({ watchdog }) =>
      Object.entries(watchdog?.components ?? {}).flatMap(([component, status]) =>
        states('status', COMPONENT_STATUSES, status, { component }),
      ),
  },
  {
    name: 'self_healing.enabled',
    kind: 'gauge',
    help: 'Whether self-healing is on: 1 or 0',
    labels: {},
    read: ({ isSelfHealing }) => one(isSelfHealing === undefined ? undefined : Number(isSelfHealing)),
  },
  {
    name: 'self_healing.tries',
    kind: 'counter',
    unit: '{try}',
    help: 'Tries to bring a check back, by how they ended',
    labels: { check: `${CHECK}, that has a way to be healed`, result: ['succeeded', 'failed'] },
    read: ({ checks, tallies }) =>
      checks
        .filter(({ heal }) => heal !== undefined)
        .flatMap(({ name }) =>
          (['succeeded', 'failed'] as const).flatMap((result) =>
            one(tallies.heals(name, result), { check: name, result }),
          ),
        ),
  },
  {
    name: 'self_healing.exhausted',
    kind: 'counter',
    unit: '{check}',
    help: 'How often no more tries were made to bring the check back',
    labels: { check: `${CHECK}, that has a way to be healed` },
    read: ({ checks, tallies }) =>
      checks
        .filter(({ heal }) => heal !== undefined)
        .flatMap(({ name }) => one(tallies.heals(name, 'exhausted'), { check: name })),
  },
]
