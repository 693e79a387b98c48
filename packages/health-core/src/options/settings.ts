import { type Clock, systemClock } from '../machinery/clock.ts'
import type { FailDirection } from '../rules/decide.ts'
import type { Check } from '../vocabulary/check.ts'
import type { ConfigProblem } from '../vocabulary/config-error.ts'
import type { Logger } from '../vocabulary/logger.ts'
import { readEntries } from './entries.ts'
import type { CheckEntry } from './entry.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { readGroups } from './groups.ts'
import type { HealthOptions } from './input.ts'
import { type Mount, readMount } from './mount.ts'
import { hasFunctions, isPlain, type Plain } from './plain.ts'
import type { Problems } from './problems.ts'
import { createFieldReader } from './read-fields.ts'
import { namespaceOf, readShare, type Share, type ShareMakers } from './share.ts'
import { stderrLogger } from './stderr-logger.ts'
import { readWatchdog, type WatchdogSettings } from './watchdog.ts'

/** What the options and the environment come to: complete, and checked. */
export interface Settings extends Mount {
  readonly entries: readonly CheckEntry[]
  readonly readiness: {
    readonly budgetMs: number
    readonly cacheTtlMs: number
    readonly timeoutFailDirection: FailDirection
  }
  readonly verdict: {
    readonly budgetMs: number
    readonly refresh: boolean
    readonly l1TtlMs: number
    readonly l2TtlMs: number
    readonly refreshIntervalMs: number
  }
  /** The service's name; undefined where it has none. */
  readonly namespace: string | undefined
  readonly share: Share | undefined
  /** Undefined: off. */
  readonly watchdog: WatchdogSettings | undefined
  readonly expose: 'code' | 'message'
  readonly selfHealing: boolean
  readonly logger: Logger
  readonly clock: Clock
}

/** Makes the default database's check from a DSN, or says why it cannot. */
export type DatabaseFromDsn = (dsn: string) => Check | ConfigProblem

/** What reading settings needs of the outside. */
export interface Makers extends ShareMakers {
  readonly databaseFromDsn: DatabaseFromDsn
  appName(script: string | undefined, workingDirectory: string): string | undefined
}

const LOGGER_LEVELS = ['debug', 'info', 'warn', 'error']
const CLOCK_FUNCTIONS = ['now', 'wall', 'after']

/** An option that must have some functions, or `usual` when it is absent. */
function readPart<T>(top: Plain, key: string, functions: readonly string[], usual: T, problems: Problems): T {
  const value = top[key]
  if (value === undefined) return usual
  if (hasFunctions(value, functions)) return value as T
  problems.add(key, `an object with the functions ${functions.join(', ')}`, value)
  return usual
}

function readDatabases(
  top: Plain,
  variables: Environment,
  fromDsn: DatabaseFromDsn,
  problems: Problems,
): Plain {
  const given = top.databases
  if (isPlain(given)) return given
  if (given !== undefined) {
    problems.add('databases', 'an object of checks by alias', given)
    return {}
  }
  const dsn = variables.get('BALDUR_SQL_DSN')
  if (dsn === undefined) return {}
  const made = fromDsn(dsn)
  if ('run' in made) return { default: made }
  problems.addAll([made])
  return {}
}

/**
 * The one reader of settings: options win over variables, variables over defaults. What is wrong is added to the
 * problems; the settings are of use only when there are none. The caller's objects are never changed. `alsoKnown`:
 * options that an adapter has taken out already.
 */
export function readSettings(
  given: HealthOptions | undefined,
  makers: Makers,
  problems: Problems,
  alsoKnown?: readonly string[],
): Settings {
  const groups = readGroups(given, problems, alsoKnown)
  const { '': top } = groups
  const logger = readPart(top, 'logger', LOGGER_LEVELS, stderrLogger, problems)
  const env = top.env === undefined ? process.env : top.env
  if (!isPlain(env)) problems.add('env', 'an object of strings', env)
  const variables = readEnvironment(isPlain(env) ? env : {}, problems, logger)
  const { duration, choice, toggle, sourceOf } = createFieldReader(groups, variables, problems)

  const checks = top.checks === undefined ? [] : top.checks
  if (!Array.isArray(checks)) problems.add('checks', 'an array of checks', checks)

  const l2TtlMs = duration('verdict.l2TtlMs')
  const refreshIntervalMs = duration('verdict.refreshIntervalMs', Math.min(10_000, (l2TtlMs * 2) / 3))
  if (refreshIntervalMs >= l2TtlMs) {
    problems.addText(
      sourceOf('verdict.refreshIntervalMs'),
      `less than ${sourceOf('verdict.l2TtlMs')} (${l2TtlMs} milliseconds)`,
      `${refreshIntervalMs} milliseconds`,
    )
  }
  const clock = readPart(top, 'clock', CLOCK_FUNCTIONS, systemClock, problems)
  const sources = { top, verdict: groups.verdict, variables, clock, logger }
  const namespace = namespaceOf(sources, () => makers.appName(process.argv[1], process.cwd()))

  return {
    entries: readEntries(
      readDatabases(top, variables, makers.databaseFromDsn, problems),
      Array.isArray(checks) ? checks : [],
      problems,
    ),
    ...readMount(top.prefix, groups.paths, problems),
    readiness: {
      budgetMs: duration('readiness.budgetMs'),
      cacheTtlMs: duration('readiness.cacheTtlMs'),
      timeoutFailDirection: choice('readiness.timeoutFailDirection'),
    },
    verdict: {
      budgetMs: duration('verdict.budgetMs'),
      refresh: toggle('verdict.refresh'),
      l1TtlMs: duration('verdict.l1TtlMs'),
      l2TtlMs,
      refreshIntervalMs,
    },
    namespace,
    share: readShare(sources, namespace, makers, problems),
    watchdog: readWatchdog({ top, watchdog: groups.watchdog, variables }, duration, problems),
    expose: choice('expose'),
    selfHealing: toggle('selfHealing'),
    logger,
    clock,
  }
}
