import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Health, Logger } from '@baldur/health-core'
import type { Drain, DrainOptions } from '@baldur/health-drain'

/** What `node:http` calls with every request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** What is needed of a Koa app. */
export interface CallbackApp {
  callback(): Listener
}

/** What is needed of a Fastify app. */
export interface ListeningApp {
  readonly server: Server
  ready(): unknown
  listen(options: { readonly port: number; readonly host: string }): Promise<unknown>
  close(): PromiseLike<unknown>
}

/** What a setup is given. */
export interface SetupContext {
  /** For what listens beside the app, such as a WebSocket server. It sees nothing before the setup has ended. */
  readonly server: Server
}

/** What `serveRunner` takes. One of `app` and `listener` is needed; `undefined` means absent; unknown keys are refused. */
export interface ServeRunnerOptions {
  /** What has to be done before the first request; until it has ended the app sees none. Where it throws or rejects the runner ends. */
  readonly setup?: ((context: SetupContext) => unknown) | undefined
  /** Undoes it, when the last request has ended. Runs only where the setup has ended well. */
  readonly teardown?: (() => unknown) | undefined
  /** An Express, Koa or Fastify app that does not listen yet. */
  readonly app?: Listener | CallbackApp | ListeningApp | undefined
  /** What `createServer` of `node:http` takes. */
  readonly listener?: Listener | undefined
  /** 0 picks a free one. Under a supervisor its `PORT` wins. @default PORT, or 3000 */
  readonly port?: number | undefined
  /** Under a supervisor its `HOST` wins. @default HOST, or '127.0.0.1' */
  readonly host?: string | undefined
  /** Where the health endpoints are mounted. @default that of the health, or '' */
  readonly prefix?: string | undefined
  /** It stays yours: closing it is for the teardown. @default one of its own, closed with the runner */
  readonly health?: Health | undefined
  /** How the runner leaves; see `createDrain`. Its delay is 0 unless this says otherwise: a supervisor sends nothing more before it sends SIGTERM. */
  readonly drain?: Omit<DrainOptions, 'server' | 'health' | 'logger' | 'env'> | undefined
  /** Logger for warnings and errors: `console`, pino, Fastify's logger. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** End the process: after a drain with its code, after a setup that failed with 1. With `false` a failed setup rejects, and a drain sets `process.exitCode`. @default true */
  readonly exit?: boolean | undefined
  /** Where `PORT`, `HOST` and `BALDUR_*` are read from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** A runner that is ready. */
export interface ServedRunner {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  readonly health: Health
  /** Takes further hooks. */
  readonly drain: Drain
  /** Drains, and leaves the process alone. */
  close(): Promise<void>
}
