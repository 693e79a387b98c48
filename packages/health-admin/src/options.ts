import type { Clock, Health, Logger, Phase } from '@baldur/health-core'
import type { Registry } from 'prom-client'

/** What is needed of a health. */
export type AdminHealth = Pick<
  Health,
  | 'answer'
  | 'explain'
  | 'history'
  | 'on'
  | 'paths'
  | 'phase'
  | 'readiness'
  | 'selfHealing'
  | 'setSelfHealing'
  | 'snapshot'
  | 'verdict'
  | 'watch'
>

/** What is needed of a drain. */
export interface AdminDrain {
  readonly phase: Phase
  /** Aborts when the drain begins. */
  readonly signal: AbortSignal
  stats(): {
    readonly inFlight: number
    readonly connections: number
    readonly refused: number
    readonly aborted: number
  }
  /** In milliseconds. */
  readonly plan: {
    readonly shutdownDelayMs: number
    readonly readinessDelayMs: number
    readonly requestTimeoutMs: number
    readonly hookTimeoutMs: number
    readonly gracePeriodMs: number
    readonly preStopMs: number
  }
  explain(): string
}

/** What `startAdmin` takes. `undefined` means absent; unknown keys are refused. */
export interface AdminOptions {
  /** The health to serve. */
  readonly health: AdminHealth
  /** Shown with its phase and its requests in flight; its beginning is the server's end. */
  readonly drain?: AdminDrain | undefined
  /** An address, or `localhost`. Other than loopback it needs an operator key. @default '127.0.0.1', or BALDUR_ADMIN_BIND */
  readonly host?: string | undefined
  /** 0 picks a free one. @default 9090, or BALDUR_ADMIN_PORT */
  readonly port?: number | undefined
  /** May read everything and switch self-healing; at least 8 characters. Without one everything can be read by whoever reaches loopback, and nothing be switched. @default none, or BALDUR_ADMIN_KEY */
  readonly operatorKey?: string | undefined
  /** May read; at least 8 characters, another than the operator's. @default none, or BALDUR_ADMIN_READONLY_KEY */
  readonly viewerKey?: string | undefined
  /** Names that the server is asked by, beside addresses and `localhost`. @default none, or BALDUR_ADMIN_ALLOWED_HOSTS, comma-separated */
  readonly allowedHosts?: readonly string[] | undefined
  /** Where probers find the service's endpoints, where that is not the health's own prefix: an adapter's `prefix`, a router's path. For `/explain`. @default that of the health */
  readonly prefix?: string | undefined
  /** What it does when a drain begins: it ends, or it serves on until the drain has ended. @default 'stop' */
  readonly duringDrain?: 'stop' | 'serve' | undefined
  /** Where the metrics are registered, so that `/metrics` shows yours too. @default a registry of its own */
  readonly registry?: Registry | undefined
  /** The release that answers, as the page shows it. @default that of the app's package.json */
  readonly version?: string | undefined
  /** Logger for warnings and errors: `console`, pino, Fastify's logger. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** Source of time and timers, for tests. @default the machine's own clock */
  readonly clock?: Clock | undefined
  /** Where `BALDUR_ADMIN_*` is read from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** A running admin server. */
export interface AdminServer {
  /** Where it is, without a slash at its end; undefined where `BALDUR_ADMIN_ENABLED` is false. */
  readonly url: string | undefined
  /** Ends it: open streams get their end, what is being answered a second. Calling it again changes nothing. */
  close(): Promise<void>
}
