import {
  type RawConnection,
  type RawConnectionOptions,
  rawConnection,
  type TimedResponse,
} from './raw-connection.ts'
import type { RawHeader } from './raw-head.ts'

export interface RawRequestOptions extends RawConnectionOptions {
  /** @default 'GET' */
  method?: string
  /** The request target, sent as it is. @default '/' */
  path?: string
  headers?: Readonly<Record<string, string>> | readonly RawHeader[]
  body?: string | Uint8Array
  /** @default '1.1' */
  httpVersion?: string
  /** Another Host, or `false` for none. @default host and port, unless among `headers` */
  hostHeader?: string | false
}

/** Makes one request on a connection of its own; `Connection: close` and `Content-Length` are sent unless given. */
export async function rawRequest(options: RawRequestOptions): Promise<TimedResponse> {
  const connection = await rawConnection(options)
  try {
    return await requestOn(connection, options)
  } finally {
    connection.close()
  }
}

/** Requests one after the other on one kept connection; a new one is opened where an answer has closed the last. */
export interface KeptClient {
  ask(options: Omit<RawRequestOptions, 'port' | 'host' | 'timeoutMs'>): Promise<TimedResponse>
  close(): void
}

export function keptClient(at: RawConnectionOptions): KeptClient {
  let connection: RawConnection | undefined
  return {
    async ask({ headers = {}, ...options }) {
      connection ??= await rawConnection(at)
      const given = {
        connection: 'keep-alive',
        ...Object.fromEntries(isList(headers) ? headers : Object.entries(headers)),
      }
      const response = await requestOn(connection, { ...at, ...options, headers: given })
      if (response.header('connection') !== 'keep-alive') {
        connection.close()
        connection = undefined
      }
      return response
    },
    close: () => connection?.close(),
  }
}

function requestOn(connection: RawConnection, options: RawRequestOptions): Promise<TimedResponse> {
  const { method = 'GET', body } = options
  const head = Buffer.from(`${requestHead(options)}\r\n\r\n`)
  connection.send(body === undefined ? head : Buffer.concat([head, Buffer.from(body)]))
  return connection.read({ method })
}

function requestHead(options: RawRequestOptions): string {
  const { method = 'GET', path = '/', httpVersion = '1.1', headers = [], body } = options
  const { port, host = '127.0.0.1', hostHeader = `${host}:${port}` } = options
  const given: readonly RawHeader[] = isList(headers) ? headers : Object.entries(headers)
  const has = (name: string) => given.some(([other]) => other.toLowerCase() === name)
  const added: RawHeader[] = []
  if (hostHeader !== false && !has('host')) added.push(['Host', hostHeader])
  if (!has('connection')) added.push(['Connection', 'close'])
  if (body !== undefined && !has('content-length') && !has('transfer-encoding')) {
    added.push(['Content-Length', String(Buffer.byteLength(body))])
  }
  const lines = [...added, ...given].map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/${httpVersion}`, ...lines].join('\r\n')
}

function isList(headers: NonNullable<RawRequestOptions['headers']>): headers is readonly RawHeader[] {
  return Array.isArray(headers)
}
