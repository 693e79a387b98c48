import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Health, Logger } from '@baldur/health-core'
import type { DrainClock } from './clock.ts'
import type { Durations, Loose, PresetName } from './plan/defaults.ts'

/** What is needed of a server of `node:http`, `node:https` or `node:http2`. */
export interface DrainableServer {
  readonly listening: boolean
  emit(event: string, ...args: never[]): boolean
  on(event: 'listening', listener: () => void): unknown
  off(event: 'listening', listener: () => void): unknown
  close(done?: () => void): unknown
  closeAllConnections?(): void
  listen(...args: never[]): unknown
}

/** What is needed of a health. */
export type DrainHealth = Pick<Health, 'answer' | 'beginDrain' | 'phase' | 'prefix' | 'paths'>

/** Something that goes on for ever: an upgraded connection (WebSocket) or a stream of events. */
export interface LongLived {
  readonly request: { readonly url?: string | undefined; readonly headers: IncomingMessage['headers'] }
  /** Of an upgraded connection. */
  readonly socket?: Duplex
  /** Of a stream of events. */
  readonly response?: ServerResponse
  /** Of a stream of events over HTTP/2. */
  readonly stream?: ServerHttp2Stream
}

/** Is told of each when the listener has closed, and may send a last word (close code 1001). What it returns is waited for, then the connection is closed. */
export type OnUpgraded = (open: LongLived) => void | Promise<void>

/** What `createDrain` takes. Everything is optional; `undefined` means absent; unknown keys are refused. Durations are milliseconds. */
export interface DrainOptions extends Loose<Durations> {
  /** The server or servers to drain. Without one, the drain waits only for tracked work. @default none */
  readonly server?: DrainableServer | readonly DrainableServer[] | undefined
  /** The health that turns to draining, so that readiness, health and pool answer 503. @default none */
  readonly health?: DrainHealth | undefined
  /** The preset that supplies the durations that are not given. @default 'kubernetes' */
  readonly preset?: PresetName | undefined
  /** How a request is met that arrives on an open connection after the listener has closed. @default 'serve'; 'reject' if the delay is 0 */
  readonly lateRequests?: 'serve' | 'reject' | undefined
  /** Paths that are served even where late requests are rejected; liveness and ping always are. @default none */
  readonly exempt?: readonly string[] | undefined
  /** Value of `Retry-After` of the 503 during the drain, in seconds. @default 1 */
  readonly retryAfterSeconds?: number | undefined
  /** Called for each WebSocket and event stream when the listener has closed. @default none: they are closed */
  readonly onUpgraded?: OnUpgraded | undefined
  /** `console`, pino, Fastify's logger. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** Source of time and timers, for tests. @default the machine's own clock; its timers keep the process alive until the drain has ended */
  readonly clock?: DrainClock | undefined
  /** Where `BALDUR_DRAIN_*` is read from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
