import type {
  AdminState,
  CheckState,
  MoveState,
  RecentRun,
} from '../../packages/health-admin/src/live/state.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

/** Runs that take about so long, the same each time; those at `failed` (from the end) are not usable. */
function runs(
  ms: number,
  failed: readonly number[] = [],
  length = 60,
  failedMs = 2_000,
): readonly RecentRun[] {
  return Array.from({ length }, (_, index) => {
    const isFailed = failed.includes(length - 1 - index)
    const wave = 1 + 0.35 * Math.sin(index / 3) + 0.25 * Math.sin(index * 1.7) + (index % 17 === 5 ? 0.9 : 0)
    return { ms: isFailed ? failedMs : ms * wave, ok: !isFailed }
  })
}

const check = (name: string, given: Partial<CheckState> = {}): CheckState => ({
  name,
  status: 'healthy',
  critical: true,
  age_ms: 1_200,
  running_ms: 0,
  duration_ms: 3.2,
  gauges: {},
  recent: runs(3.2),
  ...given,
})

export const move = (
  from: MoveState['from'],
  to: MoveState['to'],
  cause: string,
  msAgo: number,
): MoveState => ({
  from,
  to,
  cause,
  at: ago(msAgo),
})

const POOL = { total: 4, idle: 3, waiting: 0, max: 10 }

const HEALTHY_CHECKS: readonly CheckState[] = [
  check('database', { vendor: 'postgresql', gauges: POOL }),
  check('database_replica', {
    vendor: 'postgresql',
    critical: false,
    duration_ms: 5.8,
    recent: runs(5.8, [31, 32]),
    gauges: { ...POOL, idle: 2 },
    age_ms: 2_600,
  }),
  check('cache', {
    vendor: 'redis',
    critical: false,
    duration_ms: 0.6,
    recent: runs(0.6),
    gauges: { connection: 'ready' },
  }),
  check('payments', { vendor: 'http', critical: false, duration_ms: 184, recent: runs(170), age_ms: 4_100 }),
  check('disk', { critical: false, duration_ms: 0.2, recent: runs(0.2, [], 24), age_ms: 8_400 }),
]

const HISTORY: readonly MoveState[] = [
  move('healthy', 'degraded', 'payments', 5 * HOUR + 12 * MINUTE),
  move('degraded', 'healthy', 'payments', 5 * HOUR + 9 * MINUTE),
  move('healthy', 'degraded', 'database_replica', 27 * MINUTE + 40 * SECOND),
  move('degraded', 'healthy', 'database_replica', 26 * MINUTE + 12 * SECOND),
]

const STARTED_AT = ago(6 * HOUR + 3 * MINUTE)

export const healthy = (given: Partial<AdminState> = {}): AdminState => ({
  at: ago(0),
  status: 'healthy',
  causes: [],
  readiness: 'ready',
  phase: 'started',
  in_flight: 12,
  self_healing: true,
  checks: HEALTHY_CHECKS,
  watchdog: {
    status: 'healthy',
    components: {
      event_loop: 'healthy',
      memory: 'healthy',
      pool_default: 'healthy',
      cache: 'healthy',
      checks: 'healthy',
    },
    at: ago(11 * SECOND),
  },
  history: HISTORY,
  instance: {
    host: 'orders-7c9d5b6f8-x2k4q',
    pid: 4242,
    node: 'v20.20.2',
    started_at: STARTED_AT,
    version: '2.14.1',
    namespace: 'orders',
  },
  ...given,
})

export const LONG_PROBLEM =
  'ECONNREFUSED: connection refused (connect ECONNREFUSED 10.12.4.17:5432 while the pool made a connection for the check; the last address that was tried of 3, after db-primary.internal.example:5432 and db-standby.internal.example:5432, each refused within 2 ms; the pool holds no usable connection any more)'

export const unhealthy = (given: Partial<AdminState> = {}): AdminState =>
  healthy({
    status: 'unhealthy',
    causes: ['database', 'payments'],
    readiness: 'not_ready',
    in_flight: 3,
    checks: HEALTHY_CHECKS.map((one) => {
      if (one.name === 'database')
        return {
          ...one,
          status: 'unhealthy',
          problem: LONG_PROBLEM,
          duration_ms: 1.9,
          recent: runs(3.2, [0, 1, 2, 3, 4, 5, 6, 7, 8], 60, 2),
          gauges: { total: 0, idle: 0, waiting: 7, max: 10 },
        }
      if (one.name !== 'payments') return one
      const recent = runs(170, [0, 1, 2, 12])
      return {
        ...one,
        status: 'timed_out',
        running_ms: 2_400,
        duration_ms: 2_000,
        problem: 'TIMEOUT: no answer in 2000 ms',
        recent,
      }
    }),
    watchdog: {
      status: 'degraded',
      components: {
        event_loop: 'healthy',
        memory: 'healthy',
        pool_default: 'degraded',
        cache: 'unknown',
        checks: 'healthy',
      },
      at: ago(4 * SECOND),
    },
    history: [
      ...HISTORY,
      move('healthy', 'degraded', 'payments', 51 * SECOND),
      move('degraded', 'unhealthy', 'database, payments', 47 * SECOND),
    ],
    ...given,
  })

export const degraded = (given: Partial<AdminState> = {}): AdminState =>
  healthy({
    status: 'degraded',
    causes: ['payments'],
    checks: HEALTHY_CHECKS.map((one) =>
      one.name === 'payments'
        ? {
            ...one,
            status: 'unhealthy',
            problem: 'HTTP_503: the server is not available',
            recent: runs(170, [0, 1, 2, 3, 9, 10]),
          }
        : one,
    ),
    history: [...HISTORY, move('healthy', 'degraded', 'payments', 3 * MINUTE + 8 * SECOND)],
    ...given,
  })

/** The last run of a check has failed, of the three that it takes. */
export const wavering = (): AdminState =>
  healthy({
    checks: HEALTHY_CHECKS.map((one) =>
      one.name === 'payments'
        ? { ...one, problem: 'HTTP_503: the server is not available', recent: runs(170, [0]) }
        : one,
    ),
  })

/** As a server says that serves through its drain. */
export const draining = (given: Partial<AdminState> = {}): AdminState =>
  healthy({ status: 'draining', readiness: 'draining', phase: 'draining', in_flight: 3, ...given })

export const starting = (): AdminState =>
  healthy({
    status: 'starting',
    readiness: 'starting',
    phase: 'starting',
    in_flight: 0,
    checks: [
      check('database', {
        status: 'unknown',
        age_ms: undefined as never,
        duration_ms: undefined as never,
        recent: [],
        running_ms: 1_800,
      }),
    ],
    history: [],
    watchdog: undefined as never,
    instance: { ...healthy().instance, started_at: ago(2_400) },
  })

export const fortyChecks = (): AdminState =>
  unhealthy({
    causes: ['tenant_07', 'tenant_19', 'tenant_23', 'tenant_31', 'tenant_33'],
    checks: Array.from({ length: 40 }, (_, index) => {
      const isFailing = [7, 19, 23, 31, 33].includes(index)
      return check(`tenant_${String(index).padStart(2, '0')}`, {
        vendor: 'postgresql',
        critical: index < 24,
        gauges: POOL,
        recent: runs(2 + (index % 7), isFailing ? [0, 1, 2] : []),
        ...(isFailing
          ? { status: index === 19 ? 'timed_out' : 'unhealthy', problem: 'ECONNRESET: connection reset' }
          : {}),
      } as Partial<CheckState>)
    }),
  })

export const longNames = (): AdminState => {
  const long = 'database_of_the_central_european_orders_and_returns_ledger_read_replica_number_seventeen'
  return degraded({
    causes: [long, 'watchdog'],
    checks: [
      check(long, {
        vendor: 'postgresql-compatible-distributed-database',
        critical: false,
        status: 'timed_out',
        problem: 'x'.repeat(300),
      }),
      check('<img src=x onerror="document.title=1">', {
        gauges: { '<b>bold</b>': '<script>1</script>', resident_bytes: 412_000_000 },
      }),
    ],
    instance: {
      ...healthy().instance,
      namespace: 'n'.repeat(64),
      host: `ip-10-12-0-17.${'eu-central-1.'.repeat(6)}internal`,
      version: '2.14.1-rc.3+build.20261130.sha.5114f85',
    },
  })
}
