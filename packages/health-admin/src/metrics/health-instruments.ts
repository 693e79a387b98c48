import type { Instrument } from './instrument.ts'
import { one, states } from './samples.ts'
import { CONDITIONS, PHASES, READINESS_STATUSES, TIERS, VERDICT_STATUSES } from './states.ts'

const MOVES = CONDITIONS.flatMap((from) => CONDITIONS.filter((to) => to !== from).map((to) => ({ from, to })))

/** What the endpoints say. */
export const HEALTH_INSTRUMENTS: readonly Instrument[] = [
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
    name: 'health.answers',
    kind: 'counter',
    unit: '{answer}',
    help: 'Answers to /health by where they came from, since the start: L1, L2, L3 (computed for this request) or BYPASSED',
    labels: { tier: TIERS },
    read: ({ snapshot }) => TIERS.flatMap((tier) => one(snapshot?.answers[tier], { tier })),
  },
]
