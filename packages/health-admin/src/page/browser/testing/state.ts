import type { AdminState, CheckState } from '../../../live/state.ts'

export const T0: number = Date.parse('2026-03-01T03:00:00.000Z')

export const iso = (ms: number): string => new Date(T0 + ms).toISOString()

export const checkOf = (name: string, given: Partial<CheckState> = {}): CheckState => ({
  name,
  status: 'healthy',
  critical: true,
  running_ms: 0,
  gauges: {},
  recent: [],
  ...given,
})

export const stateOf = (given: Partial<AdminState> = {}): AdminState => ({
  at: iso(60_000),
  status: 'healthy',
  causes: [],
  readiness: 'ready',
  phase: 'started',
  self_healing: true,
  checks: [checkOf('database')],
  history: [],
  instance: { host: 'h1', pid: 1, node: 'v20.0.0', started_at: iso(0), namespace: 'orders' },
  ...given,
})
