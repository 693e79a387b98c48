import type { Clock } from '../machinery/clock.ts'
import type { FailDirection } from '../rules/decide.ts'
import type { Check } from '../vocabulary/check.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Probe } from '../vocabulary/probe.ts'

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
        readonly refresh?: boolean | undefined
        readonly l1TtlMs?: number | undefined
        readonly l2TtlMs?: number | undefined
        readonly refreshIntervalMs?: number | undefined
      }
    | undefined
  /** What anyone may read of a failure on the pool endpoint: its code, or the driver's message too, secrets masked. @default 'code' */
  readonly expose?: 'code' | 'message' | undefined
  /** A Redis client for the shared verdict. Checked, and not used before the shared cache exists. */
  readonly redis?: object | undefined
  /** Keeps services that share a Redis apart. Checked, and not used before the shared cache exists. */
  readonly namespace?: string | undefined
  /** Checked, and not used before the watchdog exists. */
  readonly watchdog?:
    | false
    | {
        readonly intervalMs?: number | undefined
        readonly timeoutMs?: number | undefined
        readonly webhookUrl?: string | undefined
      }
    | undefined
  /** Shown as `baldur_enabled`. @default true */
  readonly selfHealing?: boolean | undefined
  /** `console`, pino, Fastify's logger. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** @default the machine's own clock */
  readonly clock?: Clock | undefined
  /** Where `BALDUR_*` is read from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
