import type { ProbeResponse } from '../vocabulary/exchange.ts'
import type { Hit } from '../vocabulary/snapshot.ts'
import type {
  Pool,
  PoolStatus,
  Readiness,
  ReadinessStatus,
  Verdict,
  VerdictStatus,
} from '../vocabulary/view.ts'
import { logMessage, publicMessage } from './problem.ts'

const READINESS_CODES = {
  ready: 200,
  not_ready: 503,
  starting: 503,
  failed: 503,
  draining: 503,
} as const satisfies Record<ReadinessStatus, 200 | 503>

const VERDICT_CODES = {
  healthy: 200,
  degraded: 200,
  unhealthy: 503,
  error: 503,
  unavailable: 503,
  starting: 503,
  failed: 503,
  draining: 503,
} as const satisfies Record<VerdictStatus, 200 | 503>

const POOL_CODES = {
  healthy: 200,
  degraded: 503,
  error: 503,
  draining: 503,
} as const satisfies Record<PoolStatus, 200 | 503>

const STARTUP_CODES = { starting: 503, started: 200, failed: 503 } as const

/** ASCII only, so that the text's length is its size in bytes. */
function toJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function respond(
  status: number,
  value: object,
  { headers = {}, close = false }: { headers?: Record<string, string>; close?: boolean } = {},
): ProbeResponse {
  const body = toJson(value)
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'cache-control': 'no-store',
      ...headers,
    },
    body,
    close,
  }
}

export const ALIVE: ProbeResponse = respond(200, { status: 'alive' })
export const PONG: ProbeResponse = respond(200, { ping: 'pong', status: 'alive' })
/** Sent when our own code failed while answering. */
export const BROKEN: ProbeResponse = respond(VERDICT_CODES.error, { status: 'error' })
/** Sent when it failed several times in a row. */
export const UNAVAILABLE: ProbeResponse = respond(VERDICT_CODES.unavailable, { status: 'unavailable' })

const ALLOW = 'GET, HEAD, OPTIONS'
export const NOT_ALLOWED: ProbeResponse = respond(
  405,
  { status: 'method_not_allowed' },
  { headers: { allow: ALLOW } },
)

export const STARTUP: Readonly<Record<keyof typeof STARTUP_CODES, ProbeResponse>> = {
  starting: respond(STARTUP_CODES.starting, { status: 'starting' }),
  started: respond(STARTUP_CODES.started, { status: 'started' }),
  failed: respond(STARTUP_CODES.failed, { status: 'failed' }),
}

/** Renders readiness and health while a phase replaces the status. */
export function renderPhase(status: 'starting' | 'failed'): ProbeResponse {
  return respond(503, { status })
}

export function renderDraining(retryAfterSeconds: number, inFlight: number): ProbeResponse {
  return respond(
    503,
    { status: 'draining', retry_after_seconds: retryAfterSeconds, in_flight: inFlight },
    { headers: { 'retry-after': String(retryAfterSeconds) }, close: true },
  )
}

export function renderReadiness({ status, checks }: Readiness): ProbeResponse {
  return respond(READINESS_CODES[status], { status, checks })
}

export function renderVerdict(
  { status, checks }: Verdict,
  at: {
    readonly wall: number
    readonly hit: Hit
    readonly ageMs: number
    readonly baldurEnabled: boolean
    /** Additional fields of this process. */
    readonly fields?: Readonly<Record<string, unknown>>
  },
): ProbeResponse {
  return respond(VERDICT_CODES[status], {
    status,
    checks,
    timestamp: new Date(at.wall).toISOString(),
    baldur_enabled: at.baldurEnabled,
    ...at.fields,
    _cache: { hit: at.hit, age_ms: Math.round(at.ageMs) },
  })
}

/** `expose: 'message'` shows the driver's message, masked; by default only code and fixed text go out. */
export function renderPool(pool: Pool, expose: 'code' | 'message'): ProbeResponse {
  const { status, alias, vendor, isUsable, gauges, outcome } = pool
  // first for the reader, last so that a gauge of the same name never replaces one
  const fixed = { alias, vendor, is_usable: isUsable, status }
  const info = { ...fixed, ...gauges, ...fixed }
  const error =
    outcome === undefined
      ? {}
      : { error: (expose === 'message' ? logMessage : publicMessage)(outcome.problem) }
  return respond(POOL_CODES[status], { status, pool_info: info, ...error })
}

/** HEAD: the same status and headers, no body. */
export const withoutBody = (response: ProbeResponse): ProbeResponse => ({ ...response, body: '' })

/** OPTIONS: the same status, and what is allowed. HAProxy asks this way by default. */
export function asOptions({ status, headers, close }: ProbeResponse): ProbeResponse {
  const { 'content-type': _type, ...rest } = headers
  return { status, headers: { ...rest, 'content-length': '0', allow: ALLOW }, body: '', close }
}
