import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHECK_DURATION } from '../../packages/health-admin/src/metrics/check-instruments.ts'
import type { Distribution, Instrument } from '../../packages/health-admin/src/metrics/instrument.ts'
import { INSTRUMENTS } from '../../packages/health-admin/src/metrics/instruments.ts'
import { openTelemetryName, prometheusName } from '../../packages/health-admin/src/metrics/name.ts'
import {
  CHOICES,
  DISK,
  DURATIONS,
  ESCALATION,
  EVENT_LOOP,
  HEAL,
  HEAL_TIMEOUT_MS,
  HTTP_BODY_BYTES,
  MEMORY,
  MEMORY_FALL,
  NOTICE,
  type NumberField,
  OBSERVE,
  POLICY,
  REFRESH,
  STORE,
  SWITCHES,
} from '../../packages/health-core/src/options/defaults.ts'
import { VARIABLES } from '../../packages/health-core/src/options/variables.ts'
import {
  CODES,
  HTTP_CLASSES,
  HTTP_STATUSES,
  MYSQL_CODES,
  REDIS_CODES,
  SQLSTATE_CLASSES,
  SQLSTATES,
} from '../../packages/health-core/src/vocabulary/codes.ts'

import {
  BASE,
  BOUNDS,
  type Durations,
  MARGIN_MS,
  PRESETS,
  type PresetName,
} from '../../packages/health-drain/src/plan/defaults.ts'
import { explainPlan } from '../../packages/health-drain/src/plan/explain.ts'
import { makePlan } from '../../packages/health-drain/src/plan/plan.ts'
import { allowedBy, FLAG_GROUPS, type Flag } from '../../packages/health-runner/src/command/flags.ts'

// These pages are written from the tables of the source: run the tests with -u after changing one.

const read = (path: string): string =>
  readFileSync(new URL(`../../packages/${path}`, import.meta.url), 'utf8')
const CORE = read('health-core/src/options/defaults.ts')
const DRAIN = read('health-drain/src/plan/defaults.ts')

/** The reason that stands in the comment above a default, in the table of that name where keys repeat. */
function reasonOf(key: string, table = '', source = CORE): string {
  const quoted = key.includes('.') ? `'${key}'` : key
  const from = source.slice(Math.max(0, source.indexOf(`export const ${table}:`)))
  const found = new RegExp(`\\n  // (.+)\\n  ${quoted.replaceAll('.', '\\.')}: `).exec(from)?.[1]
  if (found === undefined) throw new Error(`defaults.ts gives no reason for ${key}`)
  return found
}

const row = (...cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n')
const ms = (value: number): string => `${value} ms`
const variable = (name: string | undefined): string => (name === undefined ? '' : `\`${name}\``)

test('docs/settings.md says what the tables of the source say', async () => {
  const options = [
    ...Object.entries(DURATIONS).map(([key, { default: usual, min, max, variable: name }]) =>
      row(`\`${key}\``, ms(usual), `${min} to ${max} ms`, variable(name), reasonOf(key)),
    ),
    ...Object.entries(CHOICES).map(([key, field]) =>
      row(`\`${key}\``, field.default, field.choices.join(', '), variable(field.variable), reasonOf(key)),
    ),
    ...Object.entries(SWITCHES).map(([key, { default: usual, variable: name }]) =>
      row(`\`${key}\``, usual, 'true, false', variable(name), reasonOf(key)),
    ),
  ]
  const unitOf = (key: string): string => (key.endsWith('Ms') ? ' ms' : key.endsWith('Percent') ? ' %' : '')
  const numbers = (name: string, fields: Readonly<Record<string, NumberField>>): string =>
    table(
      ['field', 'default', 'allowed', 'why'],
      Object.entries(fields).map(([key, { default: usual, min, max }]) => {
        const unit = unitOf(key)
        return row(`\`${key}\``, `${usual}${unit}`, `${min} to ${max}${unit}`, reasonOf(key, name))
      }),
    )
  const allowed = (one: (typeof VARIABLES)[number]): string => {
    if (one.kind === 'seconds') return `${one.min} to ${one.max} seconds`
    if (one.kind === 'choice') return one.choices.join(', ')
    if (one.kind === 'url') return `${one.protocols.map((protocol) => `\`${protocol}://\``).join(', ')}`
    if (one.kind === 'pattern') return one.allowed
    if (one.kind === 'secret') {
      return `at least ${one.minLength} ${one.isHeader === true ? 'visible ASCII ' : ''}characters`
    }
    return one.kind === 'port' ? '0 to 65535, 0 picks one' : 'any text'
  }
  const page = `<!-- Written from the source by tests/docs/generated.test.ts. -->
# Settings

Options win over variables, variables over defaults. Durations are milliseconds in options and seconds in variables. An
option that is \`undefined\` and a variable that is empty count as absent. Whatever is wrong stops the start with one
\`HealthConfigError\` that lists every problem; a variable that begins with \`BALDUR_\` and is not known is warned of, and a
value that begins with \`tcp://\` (a Kubernetes service link) is ignored.

## Options with a default

${table(['option', 'default', 'allowed', 'variable', 'why'], options)}

The pool endpoint has no settings: it answers within 2.5 s, at most 1 s old. \`watchdog: false\` (or
\`BALDUR_META_WATCHDOG_ENABLED\`) turns the watchdog off; an object says how it looks, and leaves it to the variable whether.

## Sharing the verdict's check results

\`redis\` takes a client of \`ioredis\` 5 or 6 (\`Redis\`, with Sentinel or without, or \`Cluster\`); it stays yours. Without it
\`BALDUR_REDIS_URL\` (\`redis://\`, \`rediss://\`, with \`BALDUR_REDIS_USERNAME\` and \`BALDUR_REDIS_PASSWORD\` in place of those in the
URL: they are taken as they are, while a \`%\` in the URL itself is written \`%25\`) gives each process one connection of its own, which needs the package \`ioredis\`. \`verdict.store\` shares them elsewhere.
\`namespace\` (\`BALDUR_NAMESPACE\`) keeps services on one Redis apart; by default it is the name of the app's package, of which
\`@acme/orders\` becomes \`acme.orders\`. [What is shared, and what is not](guides/verdict.md).

What is not a setting:

${table(
  ['number', 'value', 'why'],
  (
    [
      ['STORE', STORE, ['waitMs', 'lookAgainMs', 'failures', 'restMs', 'claimSlackMs']],
      ['REFRESH', REFRESH, ['idleMs', 'longestBackoffMs']],
    ] as const
  ).flatMap(([name, values, keys]) =>
    keys.map((key) => {
      const value: number = Reflect.get(values, key)
      return row(`\`${key}\``, key.endsWith('Ms') ? ms(value) : value, reasonOf(key, name))
    }),
  ),
)}

## Policy of a check

${numbers('POLICY', POLICY)}

\`critical\` is \`true\` by default: an unmarked check decides readiness. \`critical: false\` keeps it out of readiness and
makes the verdict at worst \`degraded\`.

## Healing a check

\`heal\` of a check; one try is bounded by ${ms(HEAL_TIMEOUT_MS)}. [More](guides/watchdog.md#self-healing).

${numbers('HEAL', HEAL)}

## The watchdog

\`watchdog.components\`, \`watchdog.onEscalate\` and \`watchdog.webhookUrl\` have no default. What is not a setting:

${table(
  ['number', 'value', 'why'],
  (
    [
      ['ESCALATION', ESCALATION, ['afterMs', 'againMs']],
      ['NOTICE', NOTICE, ['attempts', 'timeoutMs', 'firstBackoffMs', 'longestBackoffMs', 'maxPending']],
    ] as const
  ).flatMap(([name, values, keys]) =>
    keys.map((key) => {
      const value: number = Reflect.get(values, key)
      return row(`\`${key}\``, key.endsWith('Ms') ? ms(value) : value, reasonOf(key, name))
    }),
  ),
)}

[What it looks at](guides/watchdog.md).

## The built-in checks

Beside the policy. \`diskCheck\`, in bytes where no unit stands:

${numbers('DISK', DISK)}

\`eventLoopCheck\`, with \`critical: false\` unless you say otherwise:

${numbers('EVENT_LOOP', EVENT_LOOP)}

\`memoryCheck\`, with \`critical: false\` and \`fall: ${MEMORY_FALL}\` unless you say otherwise:

${numbers('MEMORY', MEMORY)}

\`httpCheck\` reads at most ${HTTP_BODY_BYTES} bytes of a body, then lets the connection go.

## Observing the app's own answers

The \`observe\` option of an adapter, of \`healthListener\` and of \`health.observe()\`; off by default, \`true\` takes these numbers.

${numbers('OBSERVE', OBSERVE)}

## Variables

Every one is checked at the start, also those of packages that are not in use.

${table(
  ['variable', 'allowed'],
  [...VARIABLES]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map((one) => row(`\`${one.name}\``, allowed(one))),
)}
`
  await expect(page).toMatchFileSnapshot('../../docs/settings.md')
})

test('docs/drain-settings.md says what the tables of the source say', async () => {
  const { plan } = makePlan('kubernetes', {})
  const names = Object.keys(BOUNDS) as (keyof Durations)[]
  const why = (name: keyof Durations): string => {
    if (name === 'requestTimeoutMs') return 'what remains of the grace period'
    return Object.hasOwn(BASE, name) ? reasonOf(name, 'BASE', DRAIN) : 'its preset'
  }
  const durations = names.map((name) => {
    const { min, max, variable: from } = BOUNDS[name]
    return row(`\`${name}\``, ms(plan[name]), `${min} to ${max} ms`, variable(from), why(name))
  })
  const presets = (Object.keys(PRESETS) as PresetName[]).map((name) => {
    const made = makePlan(name, {}).plan
    const { shutdownDelayMs, readinessDelayMs, requestTimeoutMs, hookTimeoutMs, gracePeriodMs } = made
    return row(
      ...[`\`${name}\``, readinessDelayMs, shutdownDelayMs, requestTimeoutMs, hookTimeoutMs, gracePeriodMs],
      reasonOf(name, 'PRESETS', DRAIN),
    )
  })
  const page = `<!-- Written from the source by tests/docs/generated.test.ts. -->
# Settings of the drain

Options of \`createDrain\` win over variables, variables over the preset. Durations are milliseconds in options and seconds in
variables.

${table(['option', 'default', 'allowed', 'variable', 'why'], durations)}

What is not given shrinks in proportion where the grace period given is shorter than the preset's. \`requestTimeoutMs\` is what
remains: gracePeriodMs - preStopMs - shutdownDelayMs - hookTimeoutMs - a margin of ${ms(MARGIN_MS)}. Values that do not fit stop the
start with an error that names their sum.

## Presets

In milliseconds.

${table(['preset', 'readiness turns after', 'delay', 'requests', 'hooks', 'grace period', 'why'], presets)}

## The timeline of the defaults, as \`drain.explain()\` tells it

\`\`\`
${explainPlan(plan, 'serve', { hasServer: true, hasHealth: true })}
\`\`\`
`
  await expect(page).toMatchFileSnapshot('../../docs/drain-settings.md')
})

test('docs/codes.md says what the tables of the source say', async () => {
  const rows = (codes: Readonly<Record<string, string>>): string[] =>
    Object.entries(codes).map(([code, text]) => row(`\`${code}\``, text))
  const page = `<!-- Written from the source by tests/docs/generated.test.ts. -->
# Codes

What an anonymous caller of \`/health/pool\` may read of a failure: \`CODE: text\`, from these tables, or from the
\`codes\` of the check itself (\`{ name, run, codes: { NOT_PRIMARY: 'node is not primary' } }\`). The driver's own message goes to the
log, with secrets masked. Any other code reads \`ERROR\`.

${table(['code', 'text'], rows(CODES))}

## HTTP

\`httpCheck\` tells a status that is not the wanted one by \`HTTP_\` and its number.

${table(['code', 'text'], rows(HTTP_STATUSES))}

Any other status is told by its class:

${table(
  ['status', 'text'],
  Object.entries(HTTP_CLASSES).map(([code, text]) => row(`\`${code}xx\``, text)),
)}

## SQLSTATE

${table(['code', 'text'], rows(SQLSTATES))}

Any other SQLSTATE is told by its class, the first two characters:

${table(['class', 'text'], rows(SQLSTATE_CLASSES))}

## MySQL

${table(['code', 'text'], rows(MYSQL_CODES))}

## Redis

The word that the server's error begins with; \`READONLY\` reads \`READ_ONLY\`, as with the databases.

${table(['code', 'text'], rows(REDIS_CODES))}
`
  await expect(page).toMatchFileSnapshot('../../docs/codes.md')
})

test('docs/metrics.md says what the table of the source says', async () => {
  const labelsOf = ({ labels }: Instrument | Distribution): string =>
    Object.entries(labels)
      .map(([name, values]) => {
        const words = typeof values === 'string' ? values : values.map((word) => `\`${word}\``).join(', ')
        return `\`${name}\`: ${words}`
      })
      .join('<br>')
  const kindOf = ({ kind }: Instrument | Distribution): string =>
    kind === 'state' ? 'gauge per state' : kind
  const rowOf = (one: Instrument | Distribution): string => {
    const unit = one.unit === undefined ? '' : `, unit \`${one.unit}\``
    const other = `\`${openTelemetryName(one)}\`${unit}`
    return row(`\`${prometheusName(one)}\``, kindOf(one), labelsOf(one), one.help, other)
  }
  const list = (which: (one: Instrument) => boolean, ...more: Distribution[]): string =>
    table(
      ['metric', 'kind', 'labels', 'what it says', 'OpenTelemetry'],
      [...INSTRUMENTS.filter(which), ...more].map(rowOf),
    )
  const page = `<!-- Written from the source by tests/docs/generated.test.ts. -->
# Metrics

What \`/metrics\` of the admin server and \`createMetrics\` show to Prometheus, and \`instrumentHealth\` to OpenTelemetry.
[How to collect them, alerts, cardinality](guides/metrics.md).

A gauge per state has one series for each state, 1 for the current one and 0 for all others; while the state is not known they
are absent. A counter counts from when the metrics were made, \`${prometheusName(INSTRUMENTS.find(({ name }) => name === 'health.answers') as Instrument)}\` and those of the
drain from the start. What Prometheus sees of OpenTelemetry's names is [the exporter's choice](guides/metrics.md#opentelemetry).

## Always

${list(({ needs }) => needs === undefined, CHECK_DURATION)}

The buckets of the histogram end at ${CHECK_DURATION.buckets.join(', ')} s: a round trip on a warm connection takes 0.5 to 5 ms, 0.5 s is the
usual budget of readiness, and 2 s the usual timeout of a run, so that what lies above it timed out or had to connect.

## With a drain

${list(({ needs }) => needs === 'drain')}

## With the watchdog, which is on unless it is turned off

${list(({ needs }) => needs === 'watchdog')}
`
  await expect(page).toMatchFileSnapshot('../../docs/metrics.md')
})

test('docs/runner-settings.md says what the flags of the command say', async () => {
  /** In the option's own unit. */
  const inOption = (flag: Flag): readonly [usual: string, allowed: string] => {
    switch (flag.kind) {
      case 'number': {
        const { usual, min, max, unit } = flag.bounds
        const shown = { milliseconds: ' ms', bytes: ' bytes', '': '' }[unit]
        return [`${usual}${shown}`, `${min} to ${max}${shown}`]
      }
      case 'drain':
        return ['', '']
      case 'text':
        return [flag.usual ?? '', flag.allowed]
      case 'port':
        return [String(flag.usual), allowedBy(flag)]
      case 'choice': {
        const usual = flag.usual === undefined ? undefined : flag.words[flag.usual]
        return [
          `\`'${usual}'\``,
          Object.values(flag.words)
            .map((word) => `\`'${word}'\``)
            .join(', '),
        ]
      }
      case 'list':
        return ['none', flag.words.map((word) => `\`${word}\``).join(', ')]
    }
  }
  const page = `<!-- Written from the source by tests/docs/generated.test.ts. -->
# The runner’s settings

Options of \`startRunners\` are milliseconds; flags of \`baldur-runner\` are seconds. An option wins over a variable, a variable over a default.
What is not set here is in [the runner](../packages/health-runner).

${FLAG_GROUPS.map(({ title, flags }) => {
  const rows = flags.map((flag) =>
    row(`\`${flag.option}\``, `\`--${flag.name}\``, ...inOption(flag), flag.what),
  )
  return `## ${title}\n\n${table(['option', 'flag', 'default', 'allowed', ''], rows)}\n`
}).join('\n')}
The numbers of the drain, their variables, their presets and why: [the drain’s](drain-settings.md).
`
  await expect(page).toMatchFileSnapshot('../../docs/runner-settings.md')
})
