import type { CheckSnapshot } from '@baldur/health-core'
import type { Distribution, Instrument, Sample } from './instrument.ts'
import type { Known } from './known.ts'
import {
  CHECK_STATUSES,
  COMPONENT_STATUSES,
  CONDITIONS,
  OUTCOMES,
  PHASES,
  READINESS_STATUSES,
  TIERS,
  VERDICT_STATUSES,
  WATCHDOG_STATUSES,
} from './states.ts'

const CHECK = 'a check, as readiness and the log name it'
const COMPONENT = 'a component of the watchdog'

const one = (value: number | undefined, labels: Sample['labels'] = {}): readonly Sample[] =>
  value === undefined || !Number.isFinite(value) ? [] : [{ labels, value }]

/** One sample per state; none while it is not known. */
const states = (
  label: string,
  all: readonly string[],
  current: string | undefined,
  labels: Sample['labels'] = {},
): readonly Sample[] =>
  current === undefined
    ? []
    : all.map((state) => ({ labels: { ...labels, [label]: state }, value: state === current ? 1 : 0 }))

const perCheck =
  (read: (check: CheckSnapshot, known: Known) => readonly Sample[]): Instrument['read'] =>
  (known) =>
    known.snapshot?.checks.flatMap((check) => read(check, known)) ?? []

/** What `/health` says of each check, under the name that it has elsewhere; it says nothing of them while a phase takes the verdict's place. */
function checkStatuses({ verdict, snapshot }: Known): readonly Sample[] {
  if (verdict === undefined || snapshot === undefined) return []
  const configured = snapshot.checks.map(({ name, healthName }) => [name, healthName] as const)
  const added = Object.keys(verdict.checks)
    .filter((name) => !configured.some(([, healthName]) => healthName === name))
    .map((name) => [name, name] as const)
  return [...configured, ...added].flatMap(([name, healthName]) =>
    states('status', CHECK_STATUSES, verdict.checks[healthName] ?? 'unknown', { check: name }),
  )
}

const MOVES = CONDITIONS.flatMap((from) => CONDITIONS.filter((to) => to !== from).map((to) => ({ from, to })))

/** Every instrument that is read at a scrape. Writers of both kinds, and docs/metrics.md, are made from this table. */
export const INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'instance.info',
    kind: 'gauge',
    help: 'Who is measured; always 1',
    labels: {
      version: 'the release, where it is known',
      namespace: "the service's name, where it has one",
      node: "Node's version",
    },
    read: ({ instance: { version = '', namespace = '', node } }) => one(1, { version, namespace, node }),
  },
  {
    name: 'phase',
    kind: 'state',
    help: 'Where the instance is in its life; 1 for the phase it is in',
    labels: { phase: PHASES },
    read: ({ phase }) => states('phase', PHASES, phase),
  },
  {
    name: 'verdict.status',
    kind: 'state',
    help: 'The status that /health shows; 1 for the current one',
    labels: { status: VERDICT_STATUSES },
    read: ({ verdict }) => states('status', VERDICT_STATUSES, verdict?.status),
  },
  {
    name: 'verdict.transitions',
    kind: 'counter',
    unit: '{transition}',
    help: 'Moves of the verdict',
    labels: { from: CONDITIONS, to: CONDITIONS },
    read: ({ tallies }) => MOVES.flatMap(({ from, to }) => one(tallies.moves(from, to), { from, to })),
  },
  {
    name: 'verdict.last_transition_timestamp',
    kind: 'gauge',
    unit: 's',
    help: 'When the verdict moved last, since 1970; absent before it has',
    labels: {},
    read: ({ history }) => {
      const at = history.at(-1)?.at
      return one(at === undefined ? undefined : at / 1_000)
    },
  },
  {
    name: 'readiness.status',
    kind: 'state',
    help: 'The status that /health/ready shows; 1 for the current one',
    labels: { status: READINESS_STATUSES },
    read: ({ readiness }) => states('status', READINESS_STATUSES, readiness?.status),
  },
  {
    name: 'check.info',
    kind: 'gauge',
    help: 'The checks as they are configured; always 1',
    labels: { check: CHECK, vendor: 'what it looks at, as the check says', critical: ['true', 'false'] },
    read: perCheck(({ name, vendor, critical }) =>
      one(1, { check: name, vendor, critical: String(critical) }),
    ),
  },
  {
    name: 'check.status',
    kind: 'state',
    help: 'What /health says of the check; 1 for the current status, unknown while it says nothing of checks',
    labels: { check: CHECK, status: CHECK_STATUSES },
    read: checkStatuses,
  },
  {
    name: 'check.runs',
    kind: 'counter',
    unit: '{run}',
    help: 'Runs of the check by how they ended',
    labels: { check: CHECK, outcome: OUTCOMES },
    read: perCheck(({ name }, { tallies }) =>
      OUTCOMES.flatMap((outcome) =>
        one(tallies.runs.get(name)?.outcomes[outcome] ?? 0, { check: name, outcome }),
      ),
    ),
  },
  {
    name: 'check.timeouts',
    kind: 'counter',
    unit: '{run}',
    help: 'Runs of the check that reached their timeout, which are among its runs too',
    labels: { check: CHECK },
    read: perCheck(({ name }, { tallies }) =>
      one(tallies.runs.get(name)?.outcomes.timed_out ?? 0, { check: name }),
    ),
  },
  {
    name: 'check.last_run_timestamp',
    kind: 'gauge',
    unit: 's',
    help: 'When the last run of the check ended, since 1970; absent before one has',
    labels: { check: CHECK },
    read: perCheck(({ name, ageMs }, { tallies, at }) => {
      const seenAt = ageMs === undefined ? undefined : at - ageMs
      const endedAt = tallies.runs.get(name)?.endedAt ?? seenAt
      return one(endedAt === undefined ? undefined : endedAt / 1_000, { check: name })
    }),
  },
  {
    name: 'check.outstanding',
    kind: 'gauge',
    unit: 's',
    help: 'For how long a run of the check has not settled; 0 when none is under way',
    labels: { check: CHECK },
    read: perCheck(({ name, runningMs }) => one(runningMs / 1_000, { check: name })),
  },
  {
    name: 'health.answers',
    kind: 'counter',
    unit: '{answer}',
    help: 'Answers to /health by where they came from, since the start: L1, L2, L3 (computed for this request) or BYPASSED',
    labels: { tier: TIERS },
    read: ({ snapshot }) => TIERS.flatMap((tier) => one(snapshot?.answers[tier], { tier })),
  },
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
    labels: { component: COMPONENT, status: COMPONENT_STATUSES },
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

/** How long runs take. */
export const CHECK_DURATION: Distribution = {
  name: 'check.duration',
  kind: 'histogram',
  unit: 's',
  help: 'How long runs of the check took, from their start to their end or their timeout, connecting included',
  labels: { check: CHECK },
  // a round trip on a warm connection takes 0.5 to 5 ms; 0.5 s is readiness' budget and 2 s a run's timeout, so that both
  // are edges: what lies above 2 timed out or had to connect, which may take 5 s more
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
}
