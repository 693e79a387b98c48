import type { Clock, Logger } from '@baldur/health-core'
import type { RunnersOptions } from '../options.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'

/** What the processes need to know. */
export interface FleetSettings {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** All variables of a runner but `PORT`, `HOST` and our own. */
  readonly runnerEnv: Readonly<Record<string, string | undefined>>
  readonly runners: number
  readonly startTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly killAfterMs: number
  readonly directConcurrency: number
  readonly queuedConcurrency: number
  readonly replace: 'start_first' | 'stop_first'
  readonly healthCheck:
    | {
        readonly path: string
        readonly intervalMs: number
        readonly timeoutMs: number
        readonly graceMs: number
        readonly failures: number
      }
    | undefined
}

export interface GatewaySettings {
  readonly host: string
  readonly port: number
  readonly prefix: string
  readonly requestTimeoutMs: number
  readonly waitingLine: { readonly max: number; readonly timeoutMs: number }
}

export interface QueueSettings {
  readonly max: number
  readonly maxBodyBytes: number
  readonly maxAnswerBytes: number
  readonly maxKeptBytes: number
  readonly keepForMs: number
  readonly attempts: number
  readonly backoffMs: number
  readonly maxBackoffMs: number
  /** In lower case. */
  readonly keepHeaders: ReadonlySet<string>
  readonly requestTimeoutMs: number
  readonly store: QueueStore | undefined
}

/** What the options come to: complete, and checked. */
export interface RunnersSettings {
  readonly fleet: FleetSettings
  readonly gateway: GatewaySettings
  readonly queue: QueueSettings
  readonly drain: NonNullable<RunnersOptions['drain']>
  /** `BALDUR_REDIS_URL` is set, which the queue does not use yet. */
  readonly hasRedis: boolean
  readonly logger: Logger
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
}
