import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterEach } from 'vitest'

// a tenth of the usual numbers, so that a test sees many intervals
export const INTERVAL_MS = 1_000
const SHORT = {
  BALDUR_PRECOMPUTED_CACHE_L1_TTL_SECONDS: '0.2',
  BALDUR_PRECOMPUTED_CACHE_L2_TTL_SECONDS: '1.5',
  BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS: '1',
}

export interface Answer {
  readonly status: number
  readonly body: {
    readonly status: string
    readonly _cache: { readonly hit: string; readonly age_ms: number }
  }
}

export interface Told {
  readonly runs: number
  readonly history: readonly unknown[]
}

export interface Member {
  readonly dsn: string
  /** With one of its own it shares its results over this Redis. */
  readonly namespace?: string
  readonly redisUrl?: string
  /** How far its wall clock is ahead. */
  readonly hours?: number
}

/** Starts processes of a service, which end with each test of the file; gives their ports. */
export function memberStarter(): (member: Member) => Promise<number> {
  let apps: SpawnedApp[] = []
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    apps = []
  })
  return async ({ dsn, namespace = '', redisUrl = '', hours = 0 }) => {
    const shared = namespace === '' ? {} : { BALDUR_REDIS_URL: redisUrl, BALDUR_NAMESPACE: namespace }
    const app = await spawnApp({
      args: [fileURLToPath(new URL('fleet-service.mjs', import.meta.url)), dsn, String(hours)],
      env: { ...SHORT, ...shared },
      readyPattern: /listening on (\d+)/,
    })
    apps.push(app)
    return Number(app.ready?.[1])
  }
}

export const told = async (port: number): Promise<Told> =>
  JSON.parse((await rawRequest({ port, path: '/' })).body) as Told
export const runsOf = async (ports: readonly number[]): Promise<number> =>
  (await Promise.all(ports.map(told))).reduce((sum, { runs }) => sum + runs, 0)

/** Polls a port at a rate, whatever its answers take, until it is stopped. */
export function poll(
  port: number,
  perSecond: number,
  onAnswer: (answer: Answer) => void,
): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const startedAt = performance.now()
  let asked = 0
  let open = 0
  const ask = (): void => {
    asked += 1
    open += 1
    get({ port, host: '127.0.0.1', path: '/health', agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        open -= 1
        onAnswer({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] })
      })
    }).on('error', (error) => {
      open -= 1
      onAnswer({ status: 0, body: { status: String(error), _cache: { hit: '', age_ms: 0 } } })
    })
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    while (asked < due && open < 200) ask()
  }, 5)
  return async () => {
    clearInterval(timer)
    await until(() => open === 0)
    agent.destroy()
    return asked
  }
}
