import { isIP } from 'node:net'
import type { Environment, Problems } from '@baldur/health-core/internal'
import { hostName, isLoopback } from '../rules/host-name.ts'
import type { Keys } from '../rules/role.ts'
import { BIND } from './defaults.ts'

/** The address to listen on. */
export function readHost(value: unknown, variables: Environment, problems: Problems): string {
  const name = value === undefined ? 'BALDUR_ADMIN_BIND' : 'host'
  const host = value === undefined ? (variables.get('BALDUR_ADMIN_BIND') ?? BIND.host) : value
  // an empty one is every interface to Node, and a number at the end another spelling of an address
  const isName = (text: string): boolean =>
    /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(text)
  if (typeof host === 'string' && (isIP(host) > 0 || isName(host))) return host
  problems.add(name, 'an address to listen on, such as 127.0.0.1 or ::, or localhost', host)
  return BIND.host
}

/** The port to listen on. */
export function readPort(value: unknown, variables: Environment, problems: Problems): number {
  if (value === undefined) return Number(variables.get('BALDUR_ADMIN_PORT') ?? BIND.port)
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535) return Number(value)
  problems.add('port', 'a port from 0 to 65535 (0 picks one)', value)
  return BIND.port
}

/** The names by which the server may be asked. */
export function readAllowedHosts(
  value: unknown,
  variables: Environment,
  problems: Problems,
): ReadonlySet<string> {
  const given = value === undefined
  const list: unknown = given
    ? (variables.get('BALDUR_ADMIN_ALLOWED_HOSTS') ?? '')
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== '')
    : value
  const path = given ? 'BALDUR_ADMIN_ALLOWED_HOSTS' : 'allowedHosts'
  const expected = `host names without scheme and port${given ? ', separated by commas' : ''}`
  if (!Array.isArray(list)) {
    problems.add(path, `an array of ${expected}`, list)
    return new Set()
  }
  const isName = (host: unknown): host is string =>
    typeof host === 'string' && hostName(host) === host.toLowerCase() && /^[\w.-]+$/.test(host)
  for (const host of list) if (!isName(host)) problems.add(path, expected, host)
  return new Set(list.filter(isName).map((host) => host.toLowerCase()))
}

/** A name may be made to mean any address: without a key only addresses that are known to be the machine's own will do. */
export function checkBind(host: string, path: string, keys: Keys, problems: Problems): void {
  if (keys.operator !== undefined || host.toLowerCase() === 'localhost' || isLoopback(host)) return
  problems.addText(
    path,
    'a loopback address where there is no operatorKey (BALDUR_ADMIN_KEY)',
    JSON.stringify(host),
  )
}
