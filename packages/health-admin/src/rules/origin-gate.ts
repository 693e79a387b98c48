import { isIP } from 'node:net'
import { hostName } from './host-name.ts'

/** Every value of a header, from names and values in turn, as they came. */
function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
}

const USUAL_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** Scheme taken away: name and port, the usual port of the scheme left out. */
function withoutUsualPort(scheme: string, host: string): string {
  const usual = `:${USUAL_PORTS[scheme]}`
  return (host.endsWith(usual) ? host.slice(0, -usual.length) : host).toLowerCase()
}

/** Whether a page of that origin was served by whoever is asked under that host: a proxy before us may speak TLS. */
function isSameOrigin(origin: string, host: string): boolean {
  const [, scheme = '', rest = ''] = /^(https?):\/\/([^/?#\s]+)$/i.exec(origin) ?? []
  const name = scheme.toLowerCase()
  return rest !== '' && withoutUsualPort(name, rest) === withoutUsualPort(name, host)
}

/**
 * Who may speak to the server at all, whatever key they hold: a page of a foreign origin, or of a foreign name that was
 * made to point here (DNS rebinding), may not. Names are compared as they came: another spelling of an address is none. A request
 * without any `Host`, as HAProxy sends it by default, comes from no browser: it gets the open paths.
 */
export function refusedBy(
  rawHeaders: readonly string[],
  allowedHosts: ReadonlySet<string>,
  isOpen: boolean,
): 'host' | 'origin' | undefined {
  const [host, ...more] = valuesOf(rawHeaders, 'host')
  if (host === undefined) return isOpen && valuesOf(rawHeaders, 'origin').length === 0 ? undefined : 'host'
  const name = more.length > 0 ? undefined : hostName(host)
  if (name === undefined) return 'host'
  if (isIP(name) === 0 && name !== 'localhost' && !allowedHosts.has(name)) return 'host'
  return valuesOf(rawHeaders, 'origin').every((origin, index) => index === 0 && isSameOrigin(origin, host))
    ? undefined
    : 'origin'
}
