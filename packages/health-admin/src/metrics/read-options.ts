import type { Clock, Logger } from '@baldur/health-core'
import {
  appPackage,
  createProblems,
  hasFunctions,
  isPlain,
  type Plain,
  type Problems,
  quietLogger,
  refuseUnknown,
  stderrLogger,
  systemClock,
} from '@baldur/health-core/internal'
import type { AdminDrain, AdminHealth } from '../options.ts'
import type { Instance } from './known.ts'

/** What both kinds of metrics take. `undefined` means absent; unknown keys are refused. */
export interface MeasureOptions {
  /** The health to measure. */
  readonly health: AdminHealth
  /** Measured too: requests in flight, connections, what it refused and aborted. */
  readonly drain?: AdminDrain | undefined
  /** The release, in the info metric. @default that of the app's package.json */
  readonly version?: string | undefined
  /** Logger for warnings and errors: `console`, pino, Fastify's logger. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** Source of time and timers, for tests. @default the machine's own clock */
  readonly clock?: Clock | undefined
}

/** The options, complete. */
export interface Measured {
  readonly health: AdminHealth
  readonly drain: AdminDrain | undefined
  readonly instance: Instance
  readonly logger: Logger
  readonly clock: Clock
}

const COMMON = ['health', 'drain', 'version', 'logger', 'clock']
const HEALTH = ['explain', 'on', 'readiness', 'snapshot', 'verdict']

/** Reads the options; `readMore` adds what is wrong with those of one kind. Throws one error with everything. */
export function readMeasureOptions<Options extends MeasureOptions>(
  options: Options,
  more: readonly string[],
  readMore: (options: Options, problems: Problems) => void,
): Measured {
  const problems = createProblems()
  const isObject = isPlain(options)
  const given = isObject ? (options as Options) : ({} as Options)
  if (!isObject) problems.add('options', 'an object', options)
  refuseUnknown('', { ...given } as Plain, [...COMMON, ...more], problems)
  const { health, drain, version, logger, clock } = given
  const need = (path: string, value: unknown, functions: readonly string[], what: string): void => {
    if (!hasFunctions(value, functions)) problems.add(path, what, value)
  }
  const withFunctions = (names: readonly string[]): string =>
    `an object with the functions ${names.join(', ')}`
  need('health', health, HEALTH, 'what createHealth returned')
  if (drain !== undefined) need('drain', drain, ['stats'], 'what createDrain returned')
  if (version !== undefined && typeof version !== 'string') problems.add('version', 'a string', version)
  const levels = ['debug', 'info', 'warn', 'error']
  if (logger !== undefined) need('logger', logger, levels, withFunctions(levels))
  const times = ['now', 'wall', 'after']
  if (clock !== undefined) need('clock', clock, times, withFunctions(times))
  readMore(given, problems)
  problems.throwIfAny()
  return {
    health,
    drain,
    instance: {
      version: version ?? appPackage(process.argv[1], process.cwd())?.version,
      namespace: health.explain().namespace,
      node: process.version,
    },
    logger: quietLogger(logger ?? stderrLogger),
    clock: clock ?? systemClock,
  }
}
