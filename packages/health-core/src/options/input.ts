import type { Clock } from '../machinery/clock.ts'
import type { FailDirection } from '../rules/decide.ts'
import type { Check } from '../vocabulary/check.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Probe } from '../vocabulary/probe.ts'
import type { RedisClient, SharedStore } from '../vocabulary/store.ts'
import type { Escalation, WatchdogLook } from '../vocabulary/watchdog.ts'

/** What `createHealth` takes. Everything is optional; `undefined` means absent; unknown keys are refused. */
export interface HealthOptions {
  /** By alias. `default` (or the only one) is what the pool endpoint and `checks.database` speak of. @default from `BALDUR_SQL_DSN` */
  readonly databases?: Readonly<Record<string, Check>> | undefined
  /** What else the service needs. */
  readonly checks?: readonly Check[] | undefined
  /** Where the endpoints are mounted: empty, or a path that begins with `/`. @default '' */
  readonly prefix?: string | undefined
  /** Other paths below the prefix, e.g. `{ live: '/livez' }`. */
  readonly paths?: { readonly [P in Probe]?: string | undefined } | undefined
  readonly readiness?:
    | {
        readonly budgetMs?: number | undefined
        readonly cacheTtlMs?: number | undefined
        readonly timeoutFailDirection?: FailDirection | undefined
      }
    | undefined
  readonly verdict?:
    | {
        readonly budgetMs?: number | undefined
        /** Recompute in the background while somebody asks, so that nobody waits. @default true */
        readonly refresh?: boolean | undefined
        /** How long what was looked at in the shared store, or in memory, is answered without looking again. @default 2000 */
        readonly l1TtlMs?: number | undefined
        /** How long check results count, from the end of the round (shared ones: from its start). @default 15000 */
        readonly l2TtlMs?: number | undefined
        readonly refreshIntervalMs?: number | undefined
        /** Shares check results somewhere else than on Redis. */
        readonly store?: SharedStore | undefined
      }
    | undefined
  /** What anyone may read of a failure on the pool endpoint: its code, or the driver's message too, secrets masked. @default 'code' */
  readonly expose?: 'code' | 'message' | undefined
  /**
   * A client of `ioredis` (`Redis`, with Sentinel or without, or `Cluster`) over which the processes of the service share
   * check results; it stays yours. @default a connection of its own when `BALDUR_REDIS_URL` is set, else each process keeps its own results
   */
  readonly redis?: RedisClient | undefined
  /** Keeps services that share a Redis apart. @default the app's package name */
  readonly namespace?: string | undefined
  /** Looks at the process itself, again and again; at worst that degrades the verdict. An object leaves it to `BALDUR_META_WATCHDOG_ENABLED` whether it does. @default true */
  readonly watchdog?:
    | boolean
    | {
        readonly intervalMs?: number | undefined
        /** Bound on one look at one component. @default 10000 */
        readonly timeoutMs?: number | undefined
        /** Components of your own by name; `false` turns one of ours off. */
        readonly components?: Readonly<Record<string, WatchdogLook | false>> | undefined
        /** Hears when a component has been bad for 180 s, at most once an hour, and when it is well again. */
        readonly onEscalate?: ((escalation: Escalation) => void) | undefined
        /** Is sent the same as JSON. */
        readonly webhookUrl?: string | undefined
      }
    | undefined
  /** Whether `heal` of a check is run when it keeps failing; shown as `baldur_enabled`. @default true */
  readonly selfHealing?: boolean | undefined
  /** `console`, pino, Fastify's logger. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** @default the machine's own clock */
  readonly clock?: Clock | undefined
  /** Where `BALDUR_*` is read from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
