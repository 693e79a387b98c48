import { fileURLToPath } from 'node:url'
import { type AppExit, freePort, rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { onTestFinished } from 'vitest'
import { demoProgram } from '../demo-program.ts'

export const FRAMEWORKS = ['express', 'fastify', 'koa'] as const
export type Framework = (typeof FRAMEWORKS)[number]

export const READY_PATH = '/api/baldur/health/ready'

/** A few by default, since each takes seconds; TEST_REPETITIONS asks for more. */
export const REPETITIONS = Number(process.env.TEST_REPETITIONS || 3)

const CLIENTS = fileURLToPath(new URL('keep-alive-clients.mjs', import.meta.url))
/** For what takes a second on a free machine. */
const PATIENCE_MS = 30_000

/** A demo on a port of its own, which may end and start again. */
export interface Instance {
  readonly port: number
  /** Signals it; resolves once it is gone. */
  end(signal?: NodeJS.Signals): Promise<AppExit>
  /** Starts it again on its port; resolves once it is ready. */
  start(): Promise<void>
}

/** Starts the built demo, with this delay; it is killed when the test is over. */
export async function startInstance(framework: Framework, delayMs: number): Promise<Instance> {
  const port = await freePort()
  const program = demoProgram(`${framework}-demo`)
  const env = {
    ...program.env,
    PORT: String(port),
    DEMO_DATABASE: 'none',
    BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: String(delayMs / 1_000),
  }
  let app: SpawnedApp
  const start = async (): Promise<void> => {
    app = await spawnApp({ args: program.args, env, readyPattern: /^listening on /, timeoutMs: PATIENCE_MS })
    await until(async () => (await rawRequest({ port, path: READY_PATH })).status === 200, {
      timeoutMs: PATIENCE_MS,
      message: `the ${framework} demo to be ready`,
    })
  }
  onTestFinished(async () => {
    await app?.stop({ graceMs: 0 })
  })
  await start()
  return {
    port,
    start,
    end: (signal = 'SIGTERM') => {
      app.signal(signal)
      return app.exited
    },
  }
}

export interface ClientsOptions {
  readonly port: number
  /** @default 50 */
  readonly clients?: number
  /** The GET requests take from 0 to this many milliseconds. @default 300 */
  readonly slowestMs?: number
  /** They wait from 0 to this many milliseconds before the next request. @default 0 */
  readonly longestPauseMs?: number
  /** A client whose connection is refused has nowhere to go, and that is no failure. @default false */
  readonly endsWhenRefused?: boolean
}

export interface Outcome {
  /** Requests, those left out that `refused` counts. */
  readonly sent: number
  /** By status. */
  readonly answers: Readonly<Record<string, number>>
  /** By kind, each with samples: a wrong status, a wrong or cut answer, none at all. */
  readonly failures: Readonly<Record<string, { readonly count: number; readonly samples: readonly string[] }>>
  readonly connections: number
  /** Clients that have had an answer with `Connection: close`. */
  readonly toldToClose: number
  /** Clients that ended since their connection was refused. */
  readonly refused: number
  /** As `Date.now()`. */
  readonly firstRefusedAt?: number
  readonly ms: number
}

/** Clients under way, in a process of their own. */
export interface Clients {
  /** Lets them end what they have begun. */
  finish(): Promise<Outcome>
  /** Waits until every client was refused. */
  outcome(): Promise<Outcome>
}

/** Starts clients; resolves once each of them has had an answer. */
export async function startClients({
  port,
  clients = 50,
  slowestMs = 300,
  longestPauseMs = 0,
  endsWhenRefused = false,
}: ClientsOptions): Promise<Clients> {
  const app = await spawnApp({
    args: [CLIENTS, JSON.stringify({ port, clients, slowestMs, longestPauseMs, endsWhenRefused })],
    readyPattern: /^every client has had an answer$/,
    timeoutMs: PATIENCE_MS,
  })
  onTestFinished(async () => {
    await app.stop({ graceMs: 0 })
  })
  const outcome = async (): Promise<Outcome> =>
    JSON.parse((await app.waitForLine(/^outcome (.*)$/, { timeoutMs: PATIENCE_MS }))[1] ?? '')
  return {
    outcome,
    finish: () => {
      app.signal('SIGTERM')
      return outcome()
    },
  }
}

/** All failures, whatever their kind. */
export const failed = ({ failures }: Outcome): number =>
  Object.values(failures).reduce((sum, { count }) => sum + count, 0)

/** A line of figures for whoever reads what a run printed. */
export function sayFigures(what: string, outcome: Outcome, more = ''): void {
  const kinds = Object.entries(outcome.failures).map(([kind, { count }]) => `, ${count} ${kind}`)
  console.info(
    `${what}: ${outcome.sent} requests in ${(outcome.ms / 1_000).toFixed(1)} s, ${failed(outcome)} failed${kinds.join('')}${more}`,
  )
}
