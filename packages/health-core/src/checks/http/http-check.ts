import { validateHeaderName, validateHeaderValue } from 'node:http'
import { createSecureContext } from 'node:tls'
import { isPlain } from '../../options/plain.ts'
import { createProblems, type Problems } from '../../options/problems.ts'
import { refuseUnknown } from '../../options/unknown-keys.ts'
import type { Check, CheckResult } from '../../vocabulary/check.ts'
import { PEER_HEADER } from '../../vocabulary/peer.ts'
import { type CheckOptions, readCheckOptions } from '../read-check-options.ts'
import { exchange, type Question } from './exchange.ts'
import { oneSocket } from './one-socket.ts'
import { type HttpTls, readTarget } from './target.ts'

const METHODS = ['GET', 'HEAD', 'OPTIONS'] as const

/** Options of `httpCheck`. */
export interface HttpCheckOptions extends CheckOptions {
  /** Request method; only safe ones, since the request is resent when a kept connection turns out to be closed. @default 'GET' */
  readonly method?: (typeof METHODS)[number]
  /** Additional request headers. A `host` or `authorization` replaces that of the URL. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Expected status, or a list of them. @default any of 200 to 299 */
  readonly status?: number | readonly number[]
  /** Certificates for an https URL. @default Node's own authorities */
  readonly tls?: HttpTls
}

function readStatus(status: unknown, problems: Problems): (status: number) => boolean {
  if (status === undefined) return (got) => got >= 200 && got < 300
  const wanted: readonly unknown[] = Array.isArray(status) ? status : [status]
  const isStatus = (one: unknown): boolean => Number.isInteger(one) && Number(one) >= 200 && Number(one) < 600
  if (wanted.length === 0 || !wanted.every(isStatus)) {
    problems.add('httpCheck.status', 'a status of 200 to 599, or a list of them', status)
  }
  return (got) => wanted.includes(got)
}

function readHeaders(headers: unknown, problems: Problems): Readonly<Record<string, string>> {
  if (headers === undefined) return {}
  if (!isPlain(headers)) problems.add('httpCheck.headers', 'an object of strings', headers)
  const given = isPlain(headers) ? Object.entries(headers) : []
  for (const [name, value] of given) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value as string)
      if (typeof value !== 'string') throw new TypeError('no string')
    } catch {
      // a value may be a secret, and a name that is none may be one by mistake
      problems.addText('httpCheck.headers', 'names and strings that HTTP allows', 'others (not shown)')
    }
  }
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function readTls(tls: unknown, problems: Problems): HttpTls | undefined {
  if (tls === undefined) return undefined
  if (isPlain(tls)) {
    refuseUnknown('httpCheck.tls', tls, ['ca', 'cert', 'key', 'passphrase', 'servername'], problems)
    try {
      createSecureContext(tls)
    } catch {
      // its message may hold what was given
      problems.addText('httpCheck.tls', 'certificates and a key that can be used', 'others (not shown)')
    }
    return tls
  }
  problems.add('httpCheck.tls', 'an object', tls)
  return undefined
}

/**
 * Asks an HTTP service: one request a run on one kept connection, no redirect followed, the body read to a bound. It is a
 * peer: a Baldur service that is asked answers for itself, so that two may ask each other. Throws a `HealthConfigError`
 * that lists every problem and shows nothing of the URL.
 */
export function httpCheck(url: string | URL, options: HttpCheckOptions = {}): Check {
  const problems = createProblems()
  const { own, policy } = readCheckOptions(
    'httpCheck',
    options,
    ['method', 'headers', 'status', 'tls'],
    problems,
  )
  const { method = 'GET' } = own as HttpCheckOptions
  if (!METHODS.includes(method)) problems.add('httpCheck.method', METHODS.join(', '), method)
  const isWanted = readStatus(own.status, problems)
  const headers = readHeaders(own.headers, problems)
  const target = readTarget(url, readTls(own.tls, problems), problems)
  problems.throwIfAny()
  // only to the compiler: without a target there was a problem
  if (target === undefined) throw new Error('httpCheck has no target')

  const question: Question = {
    method,
    path: target.path,
    headers: { 'user-agent': 'baldur-health', ...target.headers, ...headers, [PEER_HEADER]: '1' },
  }
  const socket = oneSocket(target.address)
  const judge = (status: number): CheckResult => isWanted(status) || { usable: false, code: `HTTP_${status}` }

  return {
    name: 'http',
    ...policy,
    peer: true,
    connect: socket.connect,
    run: async (signal) => {
      await socket.connect(signal)
      const first = await exchange(socket.agent, question, signal)
      if ('status' in first) return judge(first.status)
      // the server closed it between two runs, as servers do: that says nothing of the service
      await socket.connect(signal)
      const second = await exchange(socket.agent, question, signal)
      if ('status' in second) return judge(second.status)
      throw second.error
    },
    close: async () => socket.close(),
  }
}
