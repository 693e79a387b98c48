import type { CheckSnapshot } from '@baldur/health-core'
import type { Distribution, Instrument, Sample } from './instrument.ts'
import type { Known } from './known.ts'
import { one, states } from './samples.ts'
import { CHECK_STATUSES, OUTCOMES } from './states.ts'

/** Where the label `check` comes from. */
export const CHECK = 'a check, as readiness and the log name it'

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

/** What is known of each check. */
export const CHECK_INSTRUMENTS: readonly Instrument[] = [
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
