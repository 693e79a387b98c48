import { isIP } from 'node:net'
import type { Problems } from '../../options/problems.ts'
import type { Address } from '../socket/open-socket.ts'

/** The certificates of a TLS connection, in PEM. */
export interface HttpTls {
  /** Authorities to trust in place of Node's own. */
  readonly ca?: string | Buffer | (string | Buffer)[]
  /** The client's own certificate and its key. */
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly passphrase?: string
  /** The name that the certificate must be for. @default the URL's host */
  readonly servername?: string
}

/** Where a request goes, and what its head says of that. */
export interface Target {
  readonly address: Address
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

function parse(url: unknown): URL | undefined {
  try {
    return new URL(String(url))
  } catch {
    return undefined
  }
}

/** Reads a URL, which may hold a user and a password, and is never shown. */
export function readTarget(url: unknown, tls: HttpTls | undefined, problems: Problems): Target | undefined {
  const isText = typeof url === 'string' || Object.prototype.toString.call(url) === '[object URL]'
  const parsed = isText ? parse(url) : undefined
  const isSecure = parsed?.protocol === 'https:'
  if (parsed === undefined || (!isSecure && parsed.protocol !== 'http:')) {
    const got = isText ? 'one that is none (not shown)' : typeof url
    problems.addText('httpCheck(url)', 'an http or https URL', got)
    return undefined
  }
  if (tls !== undefined && !isSecure) {
    problems.addText('httpCheck.tls', 'a URL of https beside it', 'one of http')
  }
  const host = bare(parsed.hostname)
  const port = Number(parsed.port === '' ? (isSecure ? 443 : 80) : parsed.port)
  // a server name that is an IP address is against the standard, and Node checks the certificate for the host anyway
  const name = isIP(host) === 0 ? { servername: host } : {}
  return {
    address: isSecure
      ? { host, port, tls: { ALPNProtocols: ['http/1.1'], ...name, ...tls } }
      : { host, port },
    path: `${parsed.pathname}${parsed.search}`,
    headers: { host: parsed.host, ...credentials(parsed, problems) },
  }
}

function credentials({ username, password }: URL, problems: Problems): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  try {
    const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
  } catch {
    problems.addText('httpCheck(url)', 'a user and a password that are percent-encoded', 'others (not shown)')
    return {}
  }
}
