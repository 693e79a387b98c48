import type { Clock, Logger } from '@baldur/health-core'
import {
  createProblems,
  hasFunctions,
  isPlain,
  type Plain,
  type Problems,
  quietLogger,
  readEnvironment,
  refuseUnknown,
  stderrLogger,
  systemClock,
} from '@baldur/health-core/internal'
import type { RunnersOptions } from '../options.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'
import { SECRET_HEADERS } from '../vocabulary/secret-headers.ts'
import { GATEWAY, HEALTH_CHECK, HOOK_ROOM_MS, QUEUE, RUNNERS, WAITING_LINE } from './defaults.ts'
import { drainProblems } from './drain-problems.ts'
import { readGatewayPrefix, readHost, readPort } from './read-address.ts'
import { readCommand, readCwd, readRunnerEnv } from './read-command.ts'
import { readNumbers } from './read-number.ts'
import type { FleetSettings, QueueSettings, RunnersSettings } from './settings.ts'

const OPTION_NAMES = [
  ...['command', 'cwd', 'runnerEnv', ...Object.keys(RUNNERS), 'host', 'port', 'prefix', 'replace'],
  ...['healthCheck', 'waitingLine', 'queue', 'drain', 'logger', 'clock', 'env'],
]
const STORE: readonly (keyof QueueStore)[] = [
  ...(['add', 'take', 'retry', 'finish', 'cancel', 'expire', 'status', 'result', 'markFetched'] as const),
  ...(['counts', 'unfinished', 'beginShutdown', 'onReady', 'close'] as const),
]

/** The names of secret headers, in lower case; others are no wish, since all others are kept. */
function readKeepHeaders(value: unknown, problems: Problems): ReadonlySet<string> {
  const names = (Array.isArray(value) ? value : [value]).map((name) => String(name).toLowerCase())
  if (Array.isArray(value) && names.every((name) => SECRET_HEADERS.some((secret) => secret === name)))
    return new Set(names)
  const expected = `an array of ${SECRET_HEADERS.join(', ')}; others are always kept`
  problems.add('queue.keepHeaders', expected, value)
  return new Set()
}

/** One of the groups of options, or an empty one. */
function readGroup(name: string, value: unknown, known: readonly string[], problems: Problems): Plain {
  if (value === undefined) return {}
  if (!isPlain(value)) {
    problems.add(name, `an object with ${known.join(', ')}`, value)
    return {}
  }
  refuseUnknown(name, value, known, problems)
  return value
}

function readHealthCheck(value: unknown, problems: Problems): FleetSettings['healthCheck'] {
  if (value === undefined) return undefined
  const given = readGroup('healthCheck', value, ['path', ...Object.keys(HEALTH_CHECK)], problems)
  const { path } = given
  if (isPlain(value) && (typeof path !== 'string' || !/^\/[\x21-\x7e]*$/.test(path))) {
    problems.add('healthCheck.path', 'a path that begins with / and has no space', path)
  }
  return { path: String(path), ...readNumbers('healthCheck.', given, HEALTH_CHECK, problems) }
}

function readQueue(value: unknown, requestTimeoutMs: number, problems: Problems): QueueSettings {
  const given = readGroup('queue', value, [...Object.keys(QUEUE), 'keepHeaders', 'store'], problems)
  const { keepHeaders = [], store } = given
  if (store !== undefined && !hasFunctions(store, STORE)) {
    problems.add('queue.store', `an object with the functions ${STORE.join(', ')}`, store)
  }
  const numbers = readNumbers('queue.', given, QUEUE, problems)
  if (numbers.maxBackoffMs < numbers.backoffMs) {
    problems.add(
      'queue.maxBackoffMs',
      `at least queue.backoffMs (${numbers.backoffMs})`,
      numbers.maxBackoffMs,
    )
  }
  return {
    ...numbers,
    keepHeaders: readKeepHeaders(keepHeaders, problems),
    requestTimeoutMs,
    store: store as QueueStore | undefined,
  }
}

/** Reads options and variables; throws one error with everything that is wrong. */
export function readRunnersSettings(given: RunnersOptions): RunnersSettings {
  const problems = createProblems()
  const options: RunnersOptions = isPlain(given) ? given : ({} as RunnersOptions)
  if (!isPlain(given)) problems.add('options', 'an object with a command', given)
  refuseUnknown('', { ...options }, OPTION_NAMES, problems)

  const part = <T>(name: 'logger' | 'clock', functions: readonly string[], usual: T): T => {
    const value = options[name] as T | undefined
    if (value === undefined) return usual
    if (hasFunctions(value, functions)) return value
    problems.add(name, `an object with the functions ${functions.join(', ')}`, value)
    return usual
  }
  const logger = part<Logger>('logger', ['debug', 'info', 'warn', 'error'], stderrLogger)
  const clock = part<Clock>('clock', ['now', 'wall', 'after'], systemClock)
  const { env = process.env, replace = GATEWAY.replace, drain = {} } = options
  if (!isPlain(env)) problems.add('env', 'an object of strings', env)
  // what is wrong with them the drain says, and of unknown ones the gateway's health
  const variables = readEnvironment(isPlain(env) ? env : {}, createProblems(), { warn: () => undefined })
  if (replace !== 'start_first' && replace !== 'stop_first') {
    problems.add('replace', "'start_first' or 'stop_first'", replace)
  }
  if (!isPlain(drain)) problems.add('drain', 'an object of options of createDrain', drain)
  const numbers = readNumbers('', { ...options }, RUNNERS, problems)
  const waitingLine = readGroup('waitingLine', options.waitingLine, Object.keys(WAITING_LINE), problems)
  // the runners' own end is one of the hooks
  const isHookTimeSet = variables.has('BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS')
  const hookTime = isHookTimeSet ? {} : { hookTimeoutMs: numbers.killAfterMs + HOOK_ROOM_MS }
  const ownDrain = { ...hookTime, ...(isPlain(drain) ? drain : {}) }
  for (const problem of drainProblems({ ...ownDrain, env: isPlain(env) ? env : {} })) {
    const { path } = problem
    problems.addAll([{ ...problem, path: path.startsWith('BALDUR_') ? path : `drain.${path}` }])
  }
  const cwd = readCwd(options.cwd, problems)
  const runnerEnv = { ...process.env, ...readRunnerEnv(options.runnerEnv, problems) }
  const { typescript: runsTypeScript } = process.features as { typescript?: unknown }
  const place = { cwd, env: runnerEnv, runsTypeScript: Boolean(runsTypeScript) }
  const settings: RunnersSettings = {
    fleet: {
      ...numbers,
      command: readCommand(options.command, place, problems),
      cwd: cwd ?? '',
      runnerEnv,
      replace,
      healthCheck: readHealthCheck(options.healthCheck, problems),
    },
    gateway: {
      host: readHost(options.host, problems),
      port: readPort(options.port, problems),
      prefix: readGatewayPrefix(options.prefix, problems),
      requestTimeoutMs: numbers.requestTimeoutMs,
      waitingLine: readNumbers('waitingLine.', waitingLine, WAITING_LINE, problems),
    },
    queue: readQueue(options.queue, numbers.requestTimeoutMs, problems),
    drain: ownDrain,
    hasRedis: variables.has('BALDUR_REDIS_URL'),
    logger: quietLogger(logger),
    clock,
    env: isPlain(env) ? env : {},
  }
  problems.throwIfAny()
  return settings
}
