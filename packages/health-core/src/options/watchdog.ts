import type { Escalation, WatchdogLook } from '../vocabulary/watchdog.ts'
import { CHECK_NAME, CHECK_NAME_ALLOWED } from './entry.ts'
import type { Environment } from './environment.ts'
import type { Plain } from './plain.ts'
import { isPlain } from './plain.ts'
import type { Problems } from './problems.ts'
import type { FieldReader } from './read-fields.ts'

/** What it looks at by itself, beside `pool_<alias>`. */
const OWN_COMPONENTS = ['event_loop', 'memory', 'cache', 'checks'] as const

export interface WatchdogSettings {
  readonly intervalMs: number
  readonly timeoutMs: number
  /** By name; false: off. */
  readonly components: Readonly<Record<string, WatchdogLook | false>>
  readonly onEscalate: ((escalation: Escalation) => void) | undefined
  readonly webhookUrl: string | undefined
}

const isOurs = (name: string): boolean =>
  (OWN_COMPONENTS as readonly string[]).includes(name) || name.startsWith('pool_')

function readComponents(given: unknown, problems: Problems): WatchdogSettings['components'] {
  const path = 'watchdog.components'
  if (given === undefined) return {}
  if (!isPlain(given)) {
    problems.add(path, 'an object of functions by name', given)
    return {}
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of entries) {
    if (!CHECK_NAME.test(name)) problems.addText(path, `names of ${CHECK_NAME_ALLOWED}`, JSON.stringify(name))
    else if (typeof value !== 'function' && value !== false) {
      problems.add(`${path}.${name}`, 'a function that gives a status, or false', value)
    } else if (value === false && !isOurs(name)) {
      problems.addText(`${path}.${name}`, `false for ${OWN_COMPONENTS.join(', ')} or pool_<alias>`, 'false')
    }
  }
  return Object.fromEntries(entries) as WatchdogSettings['components']
}

/** Whether a user and a password in it can be read, too. */
function isHttpUrl(value: string): boolean {
  try {
    const { protocol, username, password } = new URL(value)
    decodeURIComponent(username + password)
    return protocol === 'http:' || protocol === 'https:'
  } catch {
    return false
  }
}

function readWebhookUrl(given: unknown, variables: Environment, problems: Problems): string | undefined {
  const name = 'BALDUR_META_WATCHDOG_WEBHOOK_URL'
  const value = given === undefined ? variables.get(name) : given
  if (value === undefined || (typeof value === 'string' && isHttpUrl(value))) return value
  // it may hold a token: it is never echoed, not even masked
  const path = given === undefined ? name : 'watchdog.webhookUrl'
  problems.addText(path, 'an http or https URL', 'something else (not shown)')
  return undefined
}

/** What the watchdog is told; undefined when it is off. What is wrong is a problem also then. */
export function readWatchdog(
  {
    top,
    watchdog,
    variables,
  }: { readonly top: Plain; readonly watchdog: Plain; readonly variables: Environment },
  duration: FieldReader['duration'],
  problems: Problems,
): WatchdogSettings | undefined {
  const { onEscalate } = watchdog
  if (onEscalate !== undefined && typeof onEscalate !== 'function') {
    problems.add('watchdog.onEscalate', 'a function', onEscalate)
  }
  const webhookUrl = readWebhookUrl(watchdog.webhookUrl, variables, problems)
  const settings = {
    intervalMs: duration('watchdog.intervalMs'),
    timeoutMs: duration('watchdog.timeoutMs'),
    components: readComponents(watchdog.components, problems),
    onEscalate: onEscalate as WatchdogSettings['onEscalate'],
    webhookUrl,
  }
  const isOn =
    typeof top.watchdog === 'boolean'
      ? top.watchdog
      : variables.get('BALDUR_META_WATCHDOG_ENABLED') !== 'false'
  return isOn ? settings : undefined
}
