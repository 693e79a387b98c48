import type { Clock } from '../machinery/clock.ts'
import type { FailDirection } from '../rules/decide.ts'
import type { Check } from '../vocabulary/check.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Probe } from '../vocabulary/probe.ts'
import type { RedisClient, SharedStore } from '../vocabulary/store.ts'
import type { Escalation, WatchdogLook } from '../vocabulary/watchdog.ts'

/** Options of `createHealth`. Everything is optional; `undefined` means absent; unknown keys are refused. */
export interface HealthOptions {
  /** Database checks by alias. The pool endpoint and `checks.database` show the one called `default`, or the only one. @default the database of `BALDUR_SQL_DSN`, if set */
  readonly databases?: Readonly<Record<string, Check>> | undefined
  /** Checks of the other dependencies. @default none */
  readonly checks?: readonly Check[] | undefined
  /** Path prefix of the endpoints: empty, or a path that begins with `/`. @default '' */
  readonly prefix?: string | undefined
  /** Paths of single endpoints below the prefix, e.g. `{ live: '/livez' }`. @default '/health', '/health/live', '/health/ready', ... */
  readonly paths?: { readonly [P in Probe]?: string | undefined } | undefined
  /** Settings of the readiness endpoint. */
  readonly readiness?:
    | {
        /** Bound on answering one readiness probe, in milliseconds, 50 to 30000; a check without a result by then reads `timed_out`. @default 500 */
        readonly budgetMs?: number | undefined
        /** How long a readiness answer counts as fresh, in milliseconds from the end of its round, 0 to 60000. @default 5000 */
        readonly cacheTtlMs?: number | undefined
        /** Readiness while a check times out: `ready` keeps an instance in rotation whose check has been usable once. @default 'not_ready' */
        readonly timeoutFailDirection?: FailDirection | undefined
      }
    | undefined
  /** Settings of the `/health` endpoint. */
  readonly verdict?:
    | {
        /** Bound on computing one verdict, in milliseconds, 50 to 30000; a check without a result by then reads `timed_out`. @default 2500 */
        readonly budgetMs?: number | undefined
        /** Recompute in the background while probes arrive, so that no prober waits. @default true */
        readonly refresh?: boolean | undefined
        /** How long results are served without another look at memory or the shared store, in milliseconds, 100 to 60000. @default 2000 */
        readonly l1TtlMs?: number | undefined
        /** How long check results count as fresh, in milliseconds from the end of their round (shared results: from its start), 1000 to 300000. @default 15000 */
        readonly l2TtlMs?: number | undefined
        /** Interval of the background computation, in milliseconds, 1000 to 300000; must be below `l2TtlMs`. @default 10000, or two thirds of `l2TtlMs` if that is less */
        readonly refreshIntervalMs?: number | undefined
        /** Store for sharing check results, in place of Redis; not allowed together with `redis`. @default none */
        readonly store?: SharedStore | undefined
      }
    | undefined
  /** What an anonymous caller may read about a failure on the pool endpoint: its code, or also the driver's message with secrets masked. @default 'code' */
  readonly expose?: 'code' | 'message' | undefined
  /**
   * Client of `ioredis` (`Redis`, with or without Sentinel, or `Cluster`) for sharing check results between the processes of
   * the service; it is never closed. @default a connection of its own when `BALDUR_REDIS_URL` is set, else results are not shared
   */
  readonly redis?: RedisClient | undefined
  /** Name of the service, which separates services on one Redis: 1 to 64 of `a-z 0-9 . _ -`. @default the app's package name */
  readonly namespace?: string | undefined
  /** Inspects the process itself at an interval; at worst that degrades the verdict. With an object, `BALDUR_META_WATCHDOG_ENABLED` decides whether it runs. @default true */
  readonly watchdog?:
    | boolean
    | {
        /** From the start of one look to the next, in milliseconds, 1000 to 3600000. @default 30000 */
        readonly intervalMs?: number | undefined
        /** Bound on one look at one component, in milliseconds, 100 to 60000; the component reads `unknown` then. @default 10000 */
        readonly timeoutMs?: number | undefined
        /** Your own components by name; `false` turns a built-in one off. @default the built-in ones */
        readonly components?: Readonly<Record<string, WatchdogLook | false>> | undefined
        /** Called when a component has been bad for 180 s, at most once an hour, and when it is healthy again. Errors are logged. @default none */
        readonly onEscalate?: ((escalation: Escalation) => void) | undefined
        /** Webhook (http or https) that receives the same events as JSON. @default `BALDUR_META_WATCHDOG_WEBHOOK_URL`, if set */
        readonly webhookUrl?: string | undefined
      }
    | undefined
  /** Runs a check's `heal` when the check keeps failing; `/health` shows the state as `baldur_enabled`. @default true */
  readonly selfHealing?: boolean | undefined
  /** Logger: `console`, pino and Fastify's logger all fit. @default warnings and errors go to standard error */
  readonly logger?: Logger | undefined
  /** Time source, for tests. @default the system clock */
  readonly clock?: Clock | undefined
  /** Source of the `BALDUR_*` variables. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
