import { isIP } from 'node:net'
import { type Problems, readPrefix } from '@baldur/health-core/internal'
import { GATEWAY } from './defaults.ts'

const isName = (text: string): boolean => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text)

/** The address that the gateway listens on. */
export function readHost(value: unknown, problems: Problems): string {
  if (value === undefined) return GATEWAY.host
  if (typeof value === 'string' && (isIP(value) > 0 || isName(value))) return value
  problems.add('host', 'an address to listen on, such as 127.0.0.1, 0.0.0.0 or ::', value)
  return GATEWAY.host
}

/** The port that the gateway listens on. */
export function readPort(value: unknown, problems: Problems): number {
  if (value === undefined) return GATEWAY.port
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value
  problems.add('port', 'a port from 0 to 65535 (0 picks one)', value)
  return GATEWAY.port
}

/** Where the gateway's own probes are: below a path that neither the queue nor all of the app is. */
export function readGatewayPrefix(value: unknown, problems: Problems): string {
  if (value === undefined) return GATEWAY.prefix
  const isAll = value === '' || value === '/'
  const prefix = isAll ? '' : readPrefix(value, problems)
  if (isAll || prefix === '/queue' || prefix.startsWith('/queue/')) {
    problems.add('prefix', 'a path of its own, other than /queue', value)
  }
  return prefix
}
