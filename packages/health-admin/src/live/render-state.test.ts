import { expect, test } from 'vitest'
import { renderState, type Seen } from './render-state.ts'

const PROBLEM = { code: 'ECONNREFUSED', text: 'connection refused', detail: 'connect to db.internal' }
const INSTANCE = { host: 'h', pid: 1, node: 'v20', started_at: '2026-01-01T00:00:00.000Z' }
const seen = (more: Partial<Seen> = {}): Seen => ({
  wall: 0,
  broken: undefined,
  snapshot: {
    phase: 'started',
    verdict: { status: 'unhealthy', checks: { database: 'unhealthy' }, causes: ['database'] },
    readiness: { status: 'not_ready', checks: { database_default: 'not_ready' } },
    checks: [
      {
        ...{ name: 'database_default', healthName: 'database', vendor: 'postgresql', critical: true },
        ...{ status: 'unusable', latest: { kind: 'erred', problem: PROBLEM }, ageMs: 12.6, runningMs: 0.4 },
        gauges: { idle: 2 },
      },
    ],
    answers: { L1: 0, L2: 0, L3: 0, BYPASSED: 0 },
  },
  history: [{ from: 'healthy', to: 'unhealthy', cause: 'database', at: 1_000 }],
  ...{ isHealingOn: true, inFlight: undefined, instance: INSTANCE, isTrusted: false },
  recentOf: (name) => (name === 'database_default' ? [{ ms: 3.2, ok: false }] : []),
  ...more,
})

test('has everything that the page shows', () => {
  expect(renderState(seen())).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    status: 'unhealthy',
    causes: ['database'],
    readiness: 'not_ready',
    phase: 'started',
    self_healing: true,
    checks: [
      {
        ...{ name: 'database', status: 'unhealthy', critical: true, vendor: 'postgresql' },
        ...{ age_ms: 13, running_ms: 0, duration_ms: 3.2, gauges: { idle: 2 } },
        problem: 'ECONNREFUSED: connection refused',
        recent: [{ ms: 3.2, ok: false }],
      },
    ],
    history: [{ from: 'healthy', to: 'unhealthy', cause: 'database', at: '1970-01-01T00:00:01.000Z' }],
    instance: INSTANCE,
  })
})

test('has a driver’s words for those who have shown a key alone', () => {
  const problem = (isTrusted: boolean) => renderState(seen({ isTrusted })).checks[0]?.problem
  expect(problem(true)).toBe('ECONNREFUSED: connection refused (connect to db.internal)')
  expect(problem(false)).not.toContain('db.internal')
})

test('while a phase stands in for the verdict, checks read what was last known of them', () => {
  const verdict = { status: 'draining', checks: {}, causes: [] } as const
  const snapshot = { ...seen().snapshot, verdict, phase: 'draining' } as const
  const state = renderState(seen({ snapshot, inFlight: 3 }))
  expect(state).toMatchObject({ status: 'draining', in_flight: 3, checks: [{ status: 'unhealthy' }] })
})

test('a check that only the verdict knows is shown too', () => {
  const checks = { database: 'unhealthy', responses: 'healthy' } as const
  const snapshot = { ...seen().snapshot, verdict: { ...seen().snapshot.verdict, checks } }
  expect(renderState(seen({ snapshot })).checks[1]).toMatchObject({ name: 'responses', status: 'healthy' })
})

test('has the watchdog’s last look where there is one', () => {
  const watchdog = { status: 'degraded', components: { memory: 'degraded' }, at: 5_000 } as const
  const state = renderState(seen({ snapshot: { ...seen().snapshot, watchdog } }))
  expect(state.watchdog).toEqual({ ...watchdog, at: '1970-01-01T00:00:05.000Z' })
})

test('that our own code broke takes the place of what is known', () => {
  const broken = { status: 'unavailable', checks: {}, causes: [] } as const
  expect(renderState(seen({ broken }))).toMatchObject({ status: 'unavailable', readiness: 'not_ready' })
})

test('a check that nobody has seen yet is unknown, not ill; what another process has seen counts', () => {
  const [check] = seen().snapshot.checks
  const { latest: _latest, ageMs: _ageMs, ...unseen } = check ?? ({} as never)
  const checks = [{ ...unseen, status: 'unknown' as const }]
  const state = (told: 'healthy' | 'unhealthy') => {
    const verdict = { ...seen().snapshot.verdict, checks: { database: told } }
    return renderState(seen({ snapshot: { ...seen().snapshot, verdict, checks } })).checks[0]?.status
  }
  expect([state('unhealthy'), state('healthy')]).toEqual(['unknown', 'healthy'])
})
