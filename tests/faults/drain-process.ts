import { fileURLToPath } from 'node:url'
import type { DrainOptions, SignalOptions } from '@baldur/health-drain'
import {
  type RawConnection,
  rawConnection,
  rawRequest,
  type SpawnedApp,
  spawnApp,
  type TimedResponse,
} from 'health-testkit'

/** What a service of `drain-service.mjs` is told. */
export interface ServiceConfig {
  readonly drain?: DrainOptions & { readonly tls?: { readonly key: string; readonly cert: string } }
  readonly signals?: SignalOptions
  /** Name, what it does, and its options. */
  readonly hooks?: readonly (readonly [
    name: string,
    way: 'ok' | 'throw' | 'reject' | 'hang' | 'pool' | 'health',
    more?: object,
  ])[]
  readonly start?:
    | 'listen'
    | 'begun'
    | 'before listen'
    | 'before listening'
    | 'listens late'
    | 'in setup'
    | 'setup failed'
  readonly server?: 'tls' | 'http2'
  /** What it does when it has said its last word to what goes on for ever. */
  readonly tell?: 'hang'
}

/** A program that drains, as a child process. */
export interface DrainProcess extends SpawnedApp {
  readonly port: number
  /** On a connection of its own, which the client would keep. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<TimedResponse>
  connect(): Promise<RawConnection>
  /** A connection on which this has been sent, and read: another one is served later. */
  sent(text: string): Promise<RawConnection>
  isRefusing(): Promise<boolean>
  /** Sends the signal, and waits until it was taken. */
  drain(signal?: NodeJS.Signals): Promise<void>
}

/** Short, and in the proportions of the defaults. */
export const QUICK = {
  shutdownDelayMs: 300,
  settleMs: 100,
  lingerMs: 200,
  requestTimeoutMs: 2_000,
  hookTimeoutMs: 600,
}
/** How much later than its plan a process may be gone, on two cores that others use too. */
export const EXIT_MS = 1_000

export const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

/** For a request of a test that asks until `at`: one that was held up on its way may be refused, after that moment and in no other way. */
export const unlessLate =
  (at: number) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== 'ECONNREFUSED' || performance.now() < at) throw error
  }

const programAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const apps: SpawnedApp[] = []

/** Ends what tests have started, also when they failed. */
export async function endProcesses(): Promise<void> {
  await Promise.all(apps.splice(0).map((app) => app.stop({ graceMs: 0 })))
}

/** Starts a program beside this file. */
export async function startProgram(
  name: string,
  args: readonly string[] = [],
  {
    readyPattern,
    env,
    nodeArgs = [],
  }: { readyPattern?: RegExp; env?: Record<string, string>; nodeArgs?: readonly string[] } = {},
): Promise<SpawnedApp> {
  const app = await spawnApp({
    args: [...nodeArgs, programAt(name), ...args],
    timeoutMs: 20_000,
    ...(readyPattern && { readyPattern }),
    ...(env && { env }),
  })
  apps.push(app)
  return app
}

/** Starts a service that listens on a port, `drain-service.mjs` or one that takes its arguments otherwise. */
export async function startListening(
  name: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<DrainProcess> {
  const app = await startProgram(name, args, { readyPattern: /^listening on (\d+)$/, env })
  const port = Number(app.ready?.[1])
  const connect = (): Promise<RawConnection> => rawConnection({ port, timeoutMs: 20_000 })
  const ask: DrainProcess['get'] = (path, headers = {}) =>
    rawRequest({ port, path, headers: { connection: 'keep-alive', ...headers }, timeoutMs: 20_000 })
  return {
    ...app,
    port,
    connect,
    get: ask,
    sent: async (text) => {
      const connection = await connect()
      connection.send(text)
      await ask('/')
      return connection
    },
    isRefusing: () =>
      connect().then(
        (connection) => {
          connection.close()
          return false
        },
        () => true,
      ),
    drain: async (signal = 'SIGTERM') => {
      app.signal(signal)
      await app.waitForLine(/^drains/)
    },
  }
}

/** Starts `drain-service.mjs`, which drains quickly unless it is told otherwise. */
export const startService = ({ drain, ...more }: ServiceConfig = {}, env = {}): Promise<DrainProcess> =>
  startListening('drain-service.mjs', [JSON.stringify({ drain: { ...QUICK, ...drain }, ...more })], env)
