import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProbeResponse } from '../vocabulary/exchange.ts'
import type { Pool, PoolStatus, ReadinessStatus, VerdictStatus } from '../vocabulary/view.ts'
import { problem, timeoutProblem } from './problem.ts'
import {
  ALIVE,
  asOptions,
  BROKEN,
  NOT_ALLOWED,
  PONG,
  renderDraining,
  renderPhase,
  renderPool,
  renderReadiness,
  renderVerdict,
  STARTUP,
  UNAVAILABLE,
  withoutBody,
} from './render.ts'

const POOL: Pool = {
  status: 'healthy',
  alias: 'default',
  vendor: 'postgresql',
  isUsable: true,
  gauges: { total: 3, idle: 2, waiting: 0, max: 10 },
}
const AT = { wall: Date.UTC(2026, 0, 2, 3, 4, 5, 6), hit: 'L1', ageMs: 412.4, baldurEnabled: true } as const

const refused = { kind: 'erred', problem: problem('ECONNREFUSED', 'connect to db:5432 refused') } as const
const INFO = '"pool_info":{"alias":"default","vendor":"postgresql","is_usable":'

type Row = readonly [
  title: string,
  made: ProbeResponse,
  status: number,
  body: string,
  more?: Readonly<Record<string, string>>,
]

const ROWS: readonly Row[] = [
  ['live', ALIVE, 200, '{"status":"alive"}'],
  ['ping', PONG, 200, '{"ping":"pong","status":"alive"}'],
  ['startup, starting', STARTUP.starting, 503, '{"status":"starting"}'],
  ['startup, started', STARTUP.started, 200, '{"status":"started"}'],
  ['startup, failed', STARTUP.failed, 503, '{"status":"failed"}'],
  ['our own code broke', BROKEN, 503, '{"status":"error"}'],
  ['it broke several times in a row', UNAVAILABLE, 503, '{"status":"unavailable"}'],
  ['another method', NOT_ALLOWED, 405, '{"status":"method_not_allowed"}', { allow: 'GET, HEAD, OPTIONS' }],
  ['starting', renderPhase('starting'), 503, '{"status":"starting"}'],
  ['failed', renderPhase('failed'), 503, '{"status":"failed"}'],
  [
    'draining',
    renderDraining(7, 3),
    503,
    '{"status":"draining","retry_after_seconds":7,"in_flight":3}',
    { 'retry-after': '7' },
  ],
  [
    'ready',
    renderReadiness({ status: 'ready', checks: { database_default: 'ready', database_replica: 'ready' } }),
    200,
    '{"status":"ready","checks":{"database_default":"ready","database_replica":"ready"}}',
  ],
  [
    'ready with no check',
    renderReadiness({ status: 'ready', checks: {} }),
    200,
    '{"status":"ready","checks":{}}',
  ],
  [
    'not ready',
    renderReadiness({
      status: 'not_ready',
      checks: { database_default: 'timed_out', database_replica: 'ready', queue: 'not_ready' },
    }),
    503,
    '{"status":"not_ready","checks":{"database_default":"timed_out","database_replica":"ready","queue":"not_ready"}}',
  ],
  [
    'healthy',
    renderVerdict({ status: 'healthy', checks: { database: 'healthy' }, causes: [] }, AT),
    200,
    '{"status":"healthy","checks":{"database":"healthy"},"timestamp":"2026-01-02T03:04:05.006Z","baldur_enabled":true,"_cache":{"hit":"L1","age_ms":412}}',
  ],
  [
    'degraded',
    renderVerdict(
      {
        status: 'degraded',
        checks: { database: 'healthy', database_replica: 'timed_out' },
        causes: ['database_replica'],
      },
      { ...AT, hit: 'L3', ageMs: 0 },
    ),
    200,
    '{"status":"degraded","checks":{"database":"healthy","database_replica":"timed_out"},"timestamp":"2026-01-02T03:04:05.006Z","baldur_enabled":true,"_cache":{"hit":"L3","age_ms":0}}',
  ],
  [
    'unhealthy',
    renderVerdict(
      { status: 'unhealthy', checks: { database: 'unhealthy' }, causes: ['database'] },
      { ...AT, hit: 'BYPASSED', ageMs: 0.6, baldurEnabled: false },
    ),
    503,
    '{"status":"unhealthy","checks":{"database":"unhealthy"},"timestamp":"2026-01-02T03:04:05.006Z","baldur_enabled":false,"_cache":{"hit":"BYPASSED","age_ms":1}}',
  ],
  [
    'healthy, with what the process says of itself',
    renderVerdict(
      { status: 'healthy', checks: {}, causes: [] },
      { ...AT, hit: 'L2', fields: { watchdog_status: 'healthy' } },
    ),
    200,
    '{"status":"healthy","checks":{},"timestamp":"2026-01-02T03:04:05.006Z","baldur_enabled":true,"watchdog_status":"healthy","_cache":{"hit":"L2","age_ms":412}}',
  ],
  [
    'pool, healthy',
    renderPool(POOL, 'code'),
    200,
    `{"status":"healthy",${INFO}true,"status":"healthy","total":3,"idle":2,"waiting":0,"max":10}}`,
  ],
  [
    'pool, no gauges known',
    renderPool({ ...POOL, gauges: {} }, 'code'),
    200,
    `{"status":"healthy",${INFO}true,"status":"healthy"}}`,
  ],
  [
    'pool, timed out',
    renderPool(
      {
        ...POOL,
        status: 'degraded',
        isUsable: false,
        gauges: {},
        outcome: { kind: 'timed_out', problem: timeoutProblem(2_000) },
      },
      'code',
    ),
    503,
    `{"status":"degraded",${INFO}false,"status":"degraded"},"error":"TIMEOUT: no answer in 2000 ms"}`,
  ],
  [
    'pool, refused',
    renderPool({ ...POOL, status: 'error', isUsable: false, outcome: refused }, 'code'),
    503,
    `{"status":"error",${INFO}false,"status":"error","total":3,"idle":2,"waiting":0,"max":10},"error":"ECONNREFUSED: connection refused"}`,
  ],
  [
    'pool, refused, messages exposed',
    renderPool({ ...POOL, status: 'error', isUsable: false, gauges: {}, outcome: refused }, 'message'),
    503,
    `{"status":"error",${INFO}false,"status":"error"},"error":"ECONNREFUSED: connection refused (connect to db:5432 refused)"}`,
  ],
  [
    'pool, messages exposed and none there',
    renderPool(
      {
        ...POOL,
        status: 'error',
        isUsable: false,
        gauges: {},
        outcome: { kind: 'erred', problem: problem('ERROR') },
      },
      'message',
    ),
    503,
    `{"status":"error",${INFO}false,"status":"error"},"error":"ERROR: check failed"}`,
  ],
]

describe('answers on the wire', () => {
  const rows = ROWS.map(([title, made, status, body, more = {}]) => ({ title, made, status, body, more }))

  it('has 24 rows', () => expect(ROWS).toHaveLength(24))

  it.each(rows)('$title', ({ title, made, status, body, more }) => {
    expect(made).toEqual({
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': 'no-store',
        ...more,
      },
      body,
      close: title === 'draining',
    })
  })

  it.each(rows)('$title, on HEAD: the same but for the body', ({ made }) => {
    expect(withoutBody(made)).toEqual({ ...made, body: '' })
  })

  it.each(rows)('$title, on OPTIONS: the same status, Allow and nothing else', ({ made }) => {
    const { 'content-type': _, ...rest } = made.headers
    expect(asOptions(made)).toEqual({
      status: made.status,
      headers: { ...rest, 'content-length': '0', allow: 'GET, HEAD, OPTIONS' },
      body: '',
      close: made.close,
    })
  })
})

describe('every status has its code', () => {
  const readiness: Readonly<Record<ReadinessStatus, number>> = {
    ready: 200,
    not_ready: 503,
    starting: 503,
    failed: 503,
    draining: 503,
  }
  const verdict: Readonly<Record<VerdictStatus, number>> = {
    healthy: 200,
    degraded: 200,
    unhealthy: 503,
    error: 503,
    unavailable: 503,
    starting: 503,
    failed: 503,
    draining: 503,
  }
  const pool: Readonly<Record<PoolStatus, number>> = {
    healthy: 200,
    degraded: 503,
    error: 503,
    draining: 503,
  }
  const rows = [
    ...Object.entries(readiness).map(([status, code]) => {
      const made = renderReadiness({ status: status as ReadinessStatus, checks: {} })
      return { endpoint: 'ready', status, code, made }
    }),
    ...Object.entries(verdict).map(([status, code]) => {
      const made = renderVerdict({ status: status as VerdictStatus, checks: {}, causes: [] }, AT)
      return { endpoint: 'health', status, code, made }
    }),
    ...Object.entries(pool).map(([status, code]) => {
      const made = renderPool({ ...POOL, status: status as PoolStatus }, 'code')
      return { endpoint: 'pool', status, code, made }
    }),
  ]

  it('has 17 rows', () => expect(rows).toHaveLength(17))

  it.each(rows)('$endpoint $status: $code', ({ status, code, made }) => {
    expect(made.status).toBe(code)
    expect((JSON.parse(made.body) as { status: string }).status).toBe(status)
  })
})

describe('whatever names and gauges hold', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('é', '漢字', '🦉', '\ud800', '\u2028', '\u007f', '"\\', '</script>', '__proto__'),
  )

  it('the body is ASCII, so that its length is its size, and reads back as what was given', () => {
    fc.assert(
      fc.property(text, text, (name, vendor) => {
        const ready = renderReadiness({ status: 'ready', checks: Object.fromEntries([[name, 'ready']]) })
        const pool = renderPool({ ...POOL, vendor, gauges: Object.fromEntries([[name, vendor]]) }, 'code')
        for (const { headers, body } of [ready, pool]) {
          expect(headers['content-length']).toBe(String(Buffer.byteLength(body, 'utf8')))
          // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character must not stand there raw
          expect(body).not.toMatch(/[\u0000-\u001f\u007f-\uffff]/)
        }
        const { checks } = JSON.parse(ready.body) as { checks: Record<string, unknown> }
        expect(Object.entries(checks)).toEqual([[name, 'ready']])
        expect((JSON.parse(pool.body) as { pool_info: { vendor: unknown } }).pool_info.vendor).toBe(vendor)
      }),
      { numRuns: 500 },
    )
  })

  it('a gauge never takes the place of a fixed field', () => {
    const gauges = { status: 'fine', alias: 'x', vendor: 'y', is_usable: true, total: 1 }
    const made = renderPool({ ...POOL, status: 'error', isUsable: false, gauges, outcome: refused }, 'code')
    expect(made.body).toBe(
      `{"status":"error",${INFO}false,"status":"error","total":1},"error":"ECONNREFUSED: connection refused"}`,
    )
  })

  it('a draining answer keeps Retry-After on HEAD and OPTIONS, and still closes', () => {
    for (const made of [withoutBody(renderDraining(2, 0)), asOptions(renderDraining(2, 0))]) {
      expect(made.headers['retry-after']).toBe('2')
      expect(made.close).toBe(true)
    }
  })
})
