import type {
  Check,
  Clock,
  createHealth as CreateHealth,
  Health,
  HealthOptions,
  Logger,
} from '@baldur/health-core'

const usable: Check['run'] = () => true
const refused: Check['run'] = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))

export const QUIET: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** The core's own factory, from source or as packed. */
export type HealthFactory = typeof CreateHealth

function health(createHealth: HealthFactory, run: Check['run'], options: HealthOptions = {}): Health {
  const stats = () => ({ total: 3, idle: 2, waiting: 0, max: 10 })
  return createHealth({
    env: {},
    logger: QUIET,
    databases: { default: { name: 'db', vendor: 'postgresql', run, stats } },
    watchdog: false,
    ...options,
  })
}

const POOL =
  '{"alias":"default","vendor":"postgresql","is_usable":true,"status":"healthy","total":3,"idle":2,"waiting":0,"max":10}'
const POOL_DOWN = POOL.replace('true', 'false').replace('healthy', 'error')
const DRAINING = '{"status":"draining","retry_after_seconds":7,"in_flight":2}'
const HEALTH_TAIL = ',"timestamp":"<time>","baldur_enabled":true,"_cache":"<cache>"}'

/** A clock that stands: ages are 0 and the time is always the same, so that two answers can be equal to the byte. */
export const STILL: Clock = {
  now: () => 0,
  wall: () => Date.UTC(2026, 0, 1),
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms)
    return () => clearTimeout(timer)
  },
}

/** What each path below the prefix answers in one state, as `[status, body]`. Times and ages are masked. */
export interface AdapterState {
  readonly name: string
  make(createHealth: HealthFactory, options: HealthOptions): Health | Promise<Health>
  readonly answers: Readonly<Record<string, readonly [status: number, body: string]>>
}

const ALWAYS = {
  '/health/live': [200, '{"status":"alive"}'],
  '/health/ping': [200, '{"ping":"pong","status":"alive"}'],
} as const
const STARTED = { ...ALWAYS, '/health/startup': [200, '{"status":"started"}'] } as const

/** Every state that an adapter has to carry over the wire unchanged. */
export const ADAPTER_STATES: readonly AdapterState[] = [
  {
    name: 'ready',
    make: (createHealth, options) => health(createHealth, usable, options),
    answers: {
      ...STARTED,
      '/health/ready': [200, '{"status":"ready","checks":{"database_default":"ready"}}'],
      '/health/pool': [200, `{"status":"healthy","pool_info":${POOL}}`],
      '/health': [200, `{"status":"healthy","checks":{"database":"healthy"}${HEALTH_TAIL}`],
    },
  },
  {
    name: 'not ready',
    make: (createHealth, options) => health(createHealth, refused, options),
    answers: {
      ...STARTED,
      '/health/ready': [503, '{"status":"not_ready","checks":{"database_default":"not_ready"}}'],
      '/health/pool': [
        503,
        `{"status":"error","pool_info":${POOL_DOWN},"error":"ECONNREFUSED: connection refused"}`,
      ],
      '/health': [503, `{"status":"unhealthy","checks":{"database":"unhealthy"}${HEALTH_TAIL}`],
    },
  },
  {
    name: 'degraded',
    make: (createHealth, options) =>
      health(createHealth, usable, { ...options, checks: [{ name: 'post', critical: false, run: refused }] }),
    answers: {
      ...STARTED,
      '/health/ready': [200, '{"status":"ready","checks":{"database_default":"ready"}}'],
      '/health/pool': [200, `{"status":"healthy","pool_info":${POOL}}`],
      '/health': [
        200,
        `{"status":"degraded","checks":{"database":"healthy","post":"unhealthy"}${HEALTH_TAIL}`,
      ],
    },
  },
  {
    name: 'degraded by the watchdog',
    make: async (createHealth, options) => {
      const off = {
        event_loop: false,
        memory: false,
        cache: false,
        checks: false,
        pool_default: false,
      } as const
      const made = health(createHealth, usable, {
        ...options,
        watchdog: { components: { ...off, queue: () => 'unhealthy', line: () => 'healthy' } },
      })
      await new Promise((resolve) => made.on('watchdog', resolve))
      return made
    },
    answers: {
      ...STARTED,
      '/health/ready': [200, '{"status":"ready","checks":{"database_default":"ready"}}'],
      '/health/pool': [200, `{"status":"healthy","pool_info":${POOL}}`],
      '/health': [
        200,
        '{"status":"degraded","checks":{"database":"healthy"},"timestamp":"<time>","baldur_enabled":true,' +
          '"watchdog_status":"unhealthy","watchdog_components":{"queue":"unhealthy","line":"healthy"},' +
          '"watchdog_last_check":"<time>","_cache":"<cache>"}',
      ],
    },
  },
  {
    // a prober is told of the peer, and no service that is one
    name: 'a peer down',
    make: (createHealth, options) =>
      health(createHealth, usable, { ...options, checks: [{ name: 'orders', peer: true, run: refused }] }),
    answers: {
      ...STARTED,
      '/health/ready': [
        503,
        '{"status":"not_ready","checks":{"database_default":"ready","orders":"not_ready"}}',
      ],
      '/health/pool': [200, `{"status":"healthy","pool_info":${POOL}}`],
      '/health': [
        503,
        `{"status":"unhealthy","checks":{"database":"healthy","orders":"unhealthy"}${HEALTH_TAIL}`,
      ],
    },
  },
  {
    name: 'starting',
    make: (createHealth, options) => {
      const made = health(createHealth, usable, options)
      void made.setup(() => new Promise(() => undefined))
      return made
    },
    answers: {
      ...ALWAYS,
      '/health/startup': [503, '{"status":"starting"}'],
      '/health/ready': [503, '{"status":"starting"}'],
      '/health/pool': [200, `{"status":"healthy","pool_info":${POOL}}`],
      '/health': [503, '{"status":"starting"}'],
    },
  },
  {
    name: 'failed',
    make: async (createHealth, options) => {
      const made = health(createHealth, usable, options)
      await made.setup(() => Promise.reject(new Error('no'))).catch(() => undefined)
      return made
    },
    answers: {
      ...ALWAYS,
      '/health/startup': [503, '{"status":"failed"}'],
      '/health/ready': [503, '{"status":"failed"}'],
      '/health/pool': [200, `{"status":"healthy","pool_info":${POOL}}`],
      '/health': [503, '{"status":"failed"}'],
    },
  },
  {
    name: 'draining',
    make: async (createHealth, options) => {
      const made = health(createHealth, usable, options)
      await made.readiness()
      made.beginDrain({ retryAfterSeconds: 7, inFlight: () => 2 })
      return made
    },
    answers: {
      ...STARTED,
      '/health/ready': [503, DRAINING],
      '/health/pool': [503, DRAINING],
      '/health': [503, DRAINING],
    },
  },
]
