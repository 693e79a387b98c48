import type { Logger } from '@baldur/health-core'
import {
  createProblems,
  hasFunctions,
  isPlain,
  type Problems,
  quietLogger,
  readEnvironment,
  refuseUnknown,
  stderrLogger,
} from '@baldur/health-core/internal'
import { type DrainClock, refClock } from '../clock.ts'
import type { DrainableServer, DrainHealth, DrainOptions, OnUpgraded } from '../options.ts'
import { A_SERVER, isServer } from '../server/is-server.ts'
import { BOUNDS, type Durations, PRESETS, type PresetName, RETRY_AFTER_SECONDS } from './defaults.ts'
import { type Given, makePlan, type Plan } from './plan.ts'

/** What the options and the environment come to: complete, and checked. */
export interface DrainSettings {
  readonly servers: readonly DrainableServer[]
  readonly health: DrainHealth | undefined
  readonly plan: Plan
  /** The delay was asked for, by its option or its variable. */
  readonly isDelayGiven: boolean
  readonly lateRequests: 'serve' | 'reject'
  readonly exempt: readonly string[]
  readonly retryAfterSeconds: number
  readonly onUpgraded: OnUpgraded | undefined
  readonly logger: Logger
  readonly clock: DrainClock
}

const DURATION_NAMES = Object.keys(BOUNDS) as (keyof Durations)[]
const OPTION_NAMES = [
  ...['server', 'health', 'preset', ...DURATION_NAMES, 'lateRequests', 'exempt', 'retryAfterSeconds'],
  ...['onUpgraded', 'logger', 'clock', 'env'],
]
const words = (list: readonly string[]): string => list.map((word) => `'${word}'`).join(' or ')

function readDurations(
  options: DrainOptions,
  variables: ReadonlyMap<string, string>,
  problems: Problems,
): Given {
  const given: { -readonly [Key in keyof Durations]?: number } = {}
  for (const name of DURATION_NAMES) {
    const { min, max, variable } = BOUNDS[name]
    const value: unknown = options[name]
    const seconds = variable === undefined ? undefined : variables.get(variable)
    if (value === undefined) {
      if (seconds !== undefined) given[name] = Math.round(Number(seconds) * 1_000)
    } else if (typeof value === 'number' && value >= min && value <= max) given[name] = value
    else problems.add(name, `${min} to ${max} milliseconds`, value)
  }
  return given
}

function readServers(value: unknown, problems: Problems): readonly DrainableServer[] {
  const servers: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value]
  if (!servers.every(isServer)) {
    problems.add('server', `${A_SERVER}, or an array of them`, value)
  }
  return [...new Set(servers.filter(isServer))]
}

/** Reads options and variables; throws one error with everything that is wrong. */
export function readDrainSettings(given: DrainOptions = {}): DrainSettings {
  const problems = createProblems()
  const options: DrainOptions = isPlain(given) ? given : {}
  if (!isPlain(given)) problems.add('options', 'an object', given)
  refuseUnknown('', { ...options }, OPTION_NAMES, problems)

  const part = <T>(
    name: string,
    functions: readonly string[],
    what: string,
    value: T | undefined,
  ): T | undefined => {
    if (value === undefined || hasFunctions(value, functions)) return value
    problems.add(name, what, value)
    return undefined
  }
  const levels = ['debug', 'info', 'warn', 'error']
  const logger = part('logger', levels, `an object with the functions ${levels.join(', ')}`, options.logger)
  const { env = process.env } = options
  if (!isPlain(env)) problems.add('env', 'an object of strings', env)
  // of the process's own a health has told when it was made
  const isTold = options.env === undefined && options.health !== undefined
  const told = isTold ? { warn: () => undefined } : (logger ?? stderrLogger)
  const variables = readEnvironment(isPlain(env) ? env : {}, problems, told)

  const {
    preset = 'kubernetes',
    lateRequests,
    exempt = [],
    retryAfterSeconds = RETRY_AFTER_SECONDS,
  } = options
  const isPreset = Object.hasOwn(PRESETS, preset as string)
  if (!isPreset) problems.add('preset', words(Object.keys(PRESETS)), preset)
  const durations = readDurations(options, variables, problems)
  const { plan, misfits } = makePlan(isPreset ? (preset as PresetName) : 'kubernetes', durations)
  const nameOf = (path: keyof Durations): string => {
    const { variable } = BOUNDS[path]
    return options[path] === undefined && variable !== undefined && variables.has(variable) ? variable : path
  }
  const named = (text: string): string =>
    DURATION_NAMES.reduce((all, name) => all.replace(`${name} `, `${nameOf(name)} `), text)
  for (const { path, expected, got } of misfits) problems.addText(nameOf(path), named(expected), got)

  if (lateRequests !== undefined && lateRequests !== 'serve' && lateRequests !== 'reject') {
    problems.add('lateRequests', words(['serve', 'reject']), lateRequests)
  }
  const isPath = (path: unknown): boolean => typeof path === 'string' && path.startsWith('/')
  if (!Array.isArray(exempt) || !exempt.every(isPath)) {
    problems.add('exempt', 'an array of paths that begin with /', exempt)
  }
  if (!Number.isInteger(retryAfterSeconds) || retryAfterSeconds < 0) {
    problems.add('retryAfterSeconds', 'whole seconds, 0 or more', retryAfterSeconds)
  }
  if (options.onUpgraded !== undefined && typeof options.onUpgraded !== 'function') {
    problems.add('onUpgraded', 'a function', options.onUpgraded)
  }
  const settings: DrainSettings = {
    servers: readServers(options.server, problems),
    health: part('health', ['beginDrain', 'answer'], 'what createHealth returned', options.health),
    plan,
    isDelayGiven: durations.shutdownDelayMs !== undefined,
    lateRequests: lateRequests ?? (plan.shutdownDelayMs === 0 ? 'reject' : 'serve'),
    exempt: Array.isArray(exempt) ? [...exempt] : [],
    retryAfterSeconds,
    onUpgraded: options.onUpgraded,
    logger: quietLogger(logger ?? stderrLogger),
    clock:
      part('clock', ['now', 'after'], 'an object with the functions now, after', options.clock) ?? refClock,
  }
  problems.throwIfAny()
  return settings
}
