import type { Clock, Logger } from '@baldur/health-core'
import {
  type AppPackage,
  appPackage,
  createProblems,
  hasFunctions,
  isPlain,
  type Problems,
  quietLogger,
  readEnvironment,
  readPrefix,
  refuseUnknown,
  stderrLogger,
  systemClock,
} from '@baldur/health-core/internal'
import type { Registry } from 'prom-client'
import type { AdminDrain, AdminHealth, AdminOptions } from '../options.ts'
import type { Keys } from '../rules/role.ts'
import { KEY_LENGTH } from './defaults.ts'
import { checkBind, readAllowedHosts, readHost, readPort } from './read-address.ts'
import { readKeys } from './read-keys.ts'

/** What the options and the environment come to: complete, and checked. */
export interface AdminSettings {
  readonly isEnabled: boolean
  readonly health: AdminHealth
  readonly drain: AdminDrain | undefined
  readonly host: string
  readonly port: number
  readonly keys: Keys
  readonly allowedHosts: ReadonlySet<string>
  /** Where the service's endpoints are mounted, where that is not the health's own prefix. */
  readonly prefix: string | undefined
  readonly duringDrain: 'stop' | 'serve'
  readonly registry: Registry | undefined
  readonly version: string | undefined
  readonly logger: Logger
  readonly clock: Clock
}

const OPTION_NAMES = [
  ...['health', 'drain', 'host', 'port', 'operatorKey', 'viewerKey', 'allowedHosts', 'duringDrain'],
  ...['prefix', 'registry', 'version', 'logger', 'clock', 'env'],
]

function readHealth(value: unknown, problems: Problems): AdminHealth {
  const isHealth = hasFunctions(value, ['answer', 'snapshot', 'explain', 'verdict', 'readiness', 'on'])
  if (!isHealth) {
    const isMiddleware = typeof value === 'function' && 'health' in value
    problems.addText(
      'health',
      'what createHealth returned',
      isMiddleware ? 'the middleware of an adapter; give its .health' : 'something else',
    )
  }
  return value as AdminHealth
}

function readDrain(value: unknown, problems: Problems): AdminDrain | undefined {
  if (value === undefined) return undefined
  const isDrain =
    hasFunctions(value, ['stats', 'explain']) &&
    hasFunctions((value as Partial<AdminDrain>).signal, ['addEventListener']) &&
    isPlain((value as Partial<AdminDrain>).plan)
  if (!isDrain) problems.addText('drain', 'what createDrain returned', 'something else')
  return value as AdminDrain
}

function readOthers(options: AdminOptions, problems: Problems): void {
  const { duringDrain, registry, version }: { readonly [Key in keyof AdminOptions]?: unknown } = options
  if (duringDrain !== undefined && duringDrain !== 'stop' && duringDrain !== 'serve') {
    problems.add('duringDrain', "'stop' or 'serve'", duringDrain)
  }
  if (registry !== undefined && !hasFunctions(registry, ['registerMetric', 'metrics'])) {
    problems.add('registry', 'a Registry of prom-client', registry)
  }
  if (version !== undefined && typeof version !== 'string') problems.add('version', 'a string', version)
}

/** Reads options and variables; throws one error with everything that is wrong, also while the server is disabled. */
export function readAdminSettings(
  given: AdminOptions,
  ofApp: () => AppPackage | undefined = () => appPackage(process.argv[1], process.cwd()),
): AdminSettings {
  const problems = createProblems()
  const options: AdminOptions = isPlain(given) ? given : ({} as AdminOptions)
  if (!isPlain(given)) problems.add('options', 'an object with a health', given)
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
  const { env = process.env } = options
  if (!isPlain(env)) problems.add('env', 'an object of strings', env)
  // of the process's own the health has told when it was made
  const told = options.env === undefined ? { warn: () => undefined } : logger
  const variables = readEnvironment(isPlain(env) ? env : {}, problems, told)

  const keys = readKeys(options, variables, isPlain(env) ? env : {}, problems, KEY_LENGTH)
  const host = readHost(options.host, variables, problems)
  checkBind(host, options.host === undefined ? 'BALDUR_ADMIN_BIND' : 'host', keys, problems)
  readOthers(options, problems)
  const settings: AdminSettings = {
    isEnabled: variables.get('BALDUR_ADMIN_ENABLED') !== 'false',
    health: readHealth(options.health, problems),
    drain: readDrain(options.drain, problems),
    host,
    port: readPort(options.port, variables, problems),
    keys,
    allowedHosts: readAllowedHosts(options.allowedHosts, variables, problems),
    prefix: options.prefix === undefined ? undefined : readPrefix(options.prefix, problems),
    duringDrain: options.duringDrain ?? 'stop',
    registry: options.registry,
    version: options.version ?? ofApp()?.version,
    logger: quietLogger(logger),
    clock,
  }
  problems.throwIfAny()
  return settings
}
