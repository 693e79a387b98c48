import type { Health, Logger } from '@baldur/health-core'
import {
  createProblems,
  hasFunctions,
  isPlain,
  type Problems,
  quietLogger,
  readPrefix,
  refuseUnknown,
  stderrLogger,
} from '@baldur/health-core/internal'
import { CONTROL_NAME, CONTROL_PATH } from '../control/protocol.ts'
import { SERVE } from '../settings/defaults.ts'
import { drainProblems } from '../settings/drain-problems.ts'
import { type Program, readProgram } from './program.ts'
import type { ServeRunnerOptions, SetupContext } from './serve-options.ts'

/** What the options and the environment come to: complete, and checked. */
export interface ServeSettings {
  readonly program: Program
  readonly setup: (context: SetupContext) => unknown
  readonly teardown: () => unknown
  readonly port: number
  readonly host: string
  readonly prefix: string | undefined
  readonly health: Health | undefined
  readonly drain: NonNullable<ServeRunnerOptions['drain']>
  readonly logger: Logger
  readonly exit: boolean
  /** Who started this runner, and what it is called there; undefined where nobody did. */
  readonly supervisor: { readonly path: string; readonly name: string } | undefined
}

type Env = Readonly<Record<string, string | undefined>>

const OPTION_NAMES = [
  ...['setup', 'teardown', 'app', 'listener', 'port', 'host', 'prefix', 'health', 'drain', 'logger', 'exit'],
  'env',
]
/** What a drain is given here. */
const OF_THE_DRAIN = ['server', 'health', 'logger', 'env']
const A_PORT = 'a port from 0 to 65535 (0 picks one)'

const nothing = (): void => undefined

function readPort(option: unknown, variable: string | undefined, problems: Problems): number {
  if (variable !== undefined) {
    if (/^\d{1,5}$/.test(variable) && Number(variable) <= 65_535) return Number(variable)
    problems.add('PORT', A_PORT, variable)
  } else if (option !== undefined) {
    if (Number.isInteger(option) && Number(option) >= 0 && Number(option) <= 65_535) return Number(option)
    problems.add('port', A_PORT, option)
  }
  return SERVE.port
}

function readHost(option: unknown, variable: string | undefined, problems: Problems): string {
  const host = variable ?? option ?? SERVE.host
  if (typeof host === 'string' && /^[^\s/]+$/.test(host)) return host
  problems.add(variable === undefined ? 'host' : 'HOST', 'an address or a name to listen on', host)
  return SERVE.host
}

function readDrain(value: unknown, env: Env, problems: Problems): NonNullable<ServeRunnerOptions['drain']> {
  if (value !== undefined && !isPlain(value)) problems.add('drain', 'an object', value)
  const given = isPlain(value) ? value : {}
  for (const name of OF_THE_DRAIN.filter((one) => given[one] !== undefined))
    problems.addText(`drain.${name}`, 'nothing: serveRunner sets it', 'a value')
  const own: NonNullable<ServeRunnerOptions['drain']> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !OF_THE_DRAIN.includes(name)),
  )
  // variables of a drain are meant for whoever stands at the door: a supervisor passes them on with all the others
  const drain = { ...own, shutdownDelayMs: own.shutdownDelayMs ?? 0 }
  problems.addAll(
    drainProblems({ ...drain, env }).map((problem) =>
      problem.path.startsWith('BALDUR_') ? problem : { ...problem, path: `drain.${problem.path}` },
    ),
  )
  return drain
}

/** Reads options and variables; throws one error with everything that is wrong. */
export function readServeSettings(given: ServeRunnerOptions): ServeSettings {
  const problems = createProblems()
  const options: { readonly [Key in keyof ServeRunnerOptions]?: unknown } = isPlain(given) ? given : {}
  if (!isPlain(given)) problems.add('options', 'an object with an app or a listener', given)
  refuseUnknown('', { ...options }, OPTION_NAMES, problems)

  const run = <Run>(name: 'setup' | 'teardown'): Run | (() => void) => {
    const value = options[name]
    if (typeof value === 'function') return value as Run
    if (value !== undefined) problems.add(name, 'a function', value)
    return nothing
  }
  const part = <T>(name: 'logger' | 'health', functions: readonly string[], what: string): T | undefined => {
    const value = options[name] as T | undefined
    if (value === undefined || hasFunctions(value, functions)) return value
    problems.add(name, what, value)
    return undefined
  }
  const { exit = true } = options
  if (typeof exit !== 'boolean') problems.add('exit', 'true or false', exit)
  if (options.env !== undefined && !isPlain(options.env))
    problems.add('env', 'an object of strings', options.env)
  const env = (isPlain(options.env) ? options.env : process.env) as Env

  const levels = ['debug', 'info', 'warn', 'error']
  const logger = part<Logger>('logger', levels, `an object with the functions ${levels.join(', ')}`)
  const path = env[CONTROL_PATH] || undefined
  /** A supervisor has chosen where it looks for its runner; else an option wins, as everywhere. */
  const place = (name: 'PORT' | 'HOST', option: unknown): string | undefined =>
    path !== undefined || option === undefined ? env[name] || undefined : undefined
  const settings: ServeSettings = {
    program: readProgram(options, problems),
    setup: run<ServeSettings['setup']>('setup'),
    teardown: run<ServeSettings['teardown']>('teardown'),
    port: readPort(options.port, place('PORT', options.port), problems),
    host: readHost(options.host, place('HOST', options.host), problems),
    prefix: options.prefix === undefined ? undefined : readPrefix(options.prefix, problems),
    health: part<Health>('health', ['answer', 'setup', 'beginDrain', 'close'], 'what createHealth returned'),
    drain: readDrain(options.drain, env, problems),
    logger: quietLogger(logger ?? stderrLogger),
    exit: exit === true,
    supervisor: path === undefined ? undefined : { path, name: env[CONTROL_NAME] ?? '' },
  }
  problems.throwIfAny()
  return settings
}
