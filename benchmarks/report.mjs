const digits = (value, places = 0) => (value === undefined ? 'none' : value.toFixed(places))
const pair = (values, places) => values.map((value) => digits(value, places)).join(' / ')

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const costTable = (rows) =>
  table(
    [
      'A against its twin B',
      'answers',
      'CPU A/B (quartiles)',
      'CPU µs A / B',
      'req/s A / B',
      'p99 ms A / B',
      'core share A / B',
    ],
    rows.map(({ title, same, ratio: [low, middle, high], micros, perSecond, p99, share }) => [
      title,
      same,
      `**${digits(middle, 2)}** (${digits(low, 2)} to ${digits(high, 2)})`,
      pair(micros, 1),
      pair(perSecond),
      pair(p99, 1),
      pair(share, 2),
    ]),
  )

const statementsTable = (rows) =>
  table(
    ['readiness', 'statements', 'per 1000 probes', 'answered 200', 'p99 ms', 'CPU µs per probe'],
    rows.map(({ title, ran, perThousand, ready, count, p99, micros }) => [
      title,
      ran,
      `**${digits(perThousand, 1)}**`,
      `${ready}/${count}`,
      digits(p99, 1),
      digits(micros),
    ]),
  )

const frozenTable = (rows) =>
  table(
    [
      'readiness',
      'answered',
      'statuses',
      'first answer ms',
      'p99 ms',
      'connections',
      'ready again after ms',
      'statements, thaw included',
    ],
    rows.map((row) => [
      row.title,
      `**${row.answered}/${row.count}**`,
      Object.entries(row.statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
      digits(row.firstMs),
      digits(row.p99),
      row.mostOpen,
      digits(row.recoveryMs),
      row.statementsAfter,
    ]),
  )

/** How long the HEALTHCHECK program takes, as Markdown. */
export const startUpSection = (rows, { runs }) => `## What a HEALTHCHECK takes

Whole processes, from their start to their exit, ${runs} of each in turns.

${table(
  ['process', 'exit code', 'median ms', 'most ms', 'over `node -e 0`, median ms'],
  rows.map(({ title, code, median, most, over }) => [
    title,
    code,
    `**${digits(median)}**`,
    digits(most),
    digits(over),
  ]),
)}
`

/** The figures as Markdown. */
export function report({ conditions, plan, cost, statements, frozen, startUp }) {
  const { cost: costPlan, statements: load, frozen: freeze } = plan
  return `# Benchmark results

${conditions.map((line) => `- ${line}`).join('\n')}

How to read and repeat them: [README.md](README.md).

## What a probe costs

${costPlan.connections} keep-alive connections on loopback; ${costPlan.rounds} fresh pair(s) of processes, each ${costPlan.slices} slices of ${costPlan.sliceMs} ms per side in turns. Every process has a PostgreSQL pool. Readiness and health have a real PostgreSQL check and answer from their cache.

${costTable(cost)}

## Load on the database

${load.count} readiness probes at ${load.perSecond} per second. Statements are counted by PostgreSQL (\`pg_stat_statements\`, one role per contestant).

${statementsTable(statements)}

## Frozen database

PostgreSQL is stopped in the middle of everything (connections open, nothing answers); what was cached has expired. ${freeze.count} probes at ${freeze.perSecond} per second; clients give up after ${freeze.giveUpMs} ms. "connections" is the most that were open to the database.

${frozenTable(frozen)}

${startUpSection(startUp, plan.startUp)}
## Caveats

- The machine is shared and the load generator runs on it. Absolute figures and p99 are pessimistic; compare ratios, and take the width of the noise rows as what this run cannot resolve (Express has its own: it is several times dearer and less steady). "core share" well below 1 says that the server was not kept busy.
- p99 is of a saturated server, with every connection always waiting: it measures queueing more than code.
- Peers answer their own bodies; each has a twin that answers the same. \`terminus\` sends chunks, its twin a length.
- The load table starts with a warm cache: for ours the figure is one statement per readiness TTL (5 s), at any rate of probes.
- Ours may go on saying ready for up to 5 s (its TTL) into an outage; the probes begin after that. \`pg\` has no time-outs by default, and the two others use its defaults.
- "ready again" is one sample: ours asks again when its TTL has passed, so it lies between 0 and 5 s.
- About half of what a HEALTHCHECK takes is Node that does nothing; on a loaded machine all rows grow together.
`
}
