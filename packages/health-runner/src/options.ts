import type { Clock, Logger } from '@baldur/health-core'
import type { DrainOptions } from '@baldur/health-drain'
import type { QueueStore } from './vocabulary/queue-store.ts'

/** The health check that the supervisor sends to each runner, and when its failures end the runner. */
export interface HealthCheckOptions {
  /** Path of the app that is requested; 2xx and 3xx are good answers. Required. */
  readonly path: string
  /** Time from the end of one health check to the start of the next, in milliseconds. @default 15000 */
  readonly intervalMs?: number | undefined
  /** Timeout for the whole answer, in milliseconds; a later answer is a failure. @default 5000 */
  readonly timeoutMs?: number | undefined
  /** Time after the runner became ready in which failures do not count, in milliseconds. @default 30000 */
  readonly graceMs?: number | undefined
  /** Number of consecutive failures after which the runner is ended, if the guard allows it. @default 3 */
  readonly failures?: number | undefined
}

/** Limits for direct requests that wait in the gateway for a free runner. */
export interface WaitingLineOptions {
  /** Largest number of direct requests that wait for a free runner; one more gets 503 at once. @default 100 */
  readonly max?: number | undefined
  /** Longest wait of one request, in milliseconds; then it gets 503, or 504 while no runner is ready. @default 30000 */
  readonly timeoutMs?: number | undefined
}

/** Limits, retries and storage of the queue behind `/queue/`. */
export interface QueueOptions {
  /** Largest number of requests that wait or run; one more gets 503. @default 10000 */
  readonly max?: number | undefined
  /** Largest request body accepted, in bytes; a larger one gets 413. @default 10485760 */
  readonly maxBodyBytes?: number | undefined
  /** Largest answer recorded, in bytes; a larger one is recorded as an error. @default 10485760 */
  readonly maxAnswerBytes?: number | undefined
  /**
   * Largest total size of the stored requests and results, in bytes. When space is needed, fetched results are evicted early, the oldest first, with their
   * idempotency keys. Unfetched results are never evicted early: while they fill the space, new requests get 503 and queued requests wait. @default 268435456
   */
  readonly maxKeptBytes?: number | undefined
  /** Time for which a result is kept, in milliseconds; a fetched result may be evicted earlier, see `maxKeptBytes`. @default 3600000 */
  readonly keepForMs?: number | undefined
  /** Largest number of attempts for one request, the first included. @default 10 */
  readonly attempts?: number | undefined
  /** Delay before the second attempt, in milliseconds; it doubles before each further attempt. @default 1000 */
  readonly backoffMs?: number | undefined
  /** Largest delay between two attempts, in milliseconds. @default 30000 */
  readonly maxBackoffMs?: number | undefined
  /** Secret headers (`authorization`, `cookie`, `proxy-authorization`) that are stored with a request and sent to its runner. All other headers are always stored. @default none */
  readonly keepHeaders?: readonly string[] | undefined
  /** Store of the requests and results. @default in memory */
  readonly store?: QueueStore | undefined
}

/** Options of `startRunners`. `undefined` means absent; unknown keys are refused. */
export interface RunnersOptions {
  /** Program and arguments that each runner executes. A single name that ends in .js, .mjs or .cjs is executed by this Node, and .ts where Node supports it (22.18, 23.6 and later). A script path is relative to `cwd`. Required. */
  readonly command: string | readonly string[]
  /** Working directory of the runners. @default that of this process */
  readonly cwd?: string | undefined
  /** Environment variables of the runners, added to those of this process. `PORT` and `HOST` are set for each runner. @default none */
  readonly runnerEnv?: Readonly<Record<string, string | undefined>> | undefined
  /** Number of runners. @default 1 */
  readonly runners?: number | undefined
  /** Address the gateway listens on. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Port the gateway listens on; 0 picks a free one. @default 8080 */
  readonly port?: number | undefined
  /** Path prefix of the gateway's own probes, such as `<prefix>/health/ready`; they never reach a runner. @default '/gateway' */
  readonly prefix?: string | undefined
  /** Longest time from the start of a process until it is ready, in milliseconds; then the process is ended. @default 60000 */
  readonly startTimeoutMs?: number | undefined
  /** Longest time that a runner may take for one request, in milliseconds. @default 60000 */
  readonly requestTimeoutMs?: number | undefined
  /** Time between SIGTERM and SIGKILL, in milliseconds. @default 5000 */
  readonly killAfterMs?: number | undefined
  /** Largest number of direct requests in flight on one runner. @default 16 */
  readonly directConcurrency?: number | undefined
  /** Largest number of queued requests in flight on one runner. @default 1 */
  readonly queuedConcurrency?: number | undefined
  /** Whether the replacement starts before the unhealthy process has ended (`'start_first'`) or after (`'stop_first'`). @default 'start_first' */
  readonly replace?: 'start_first' | 'stop_first' | undefined
  /** Health check of each runner. @default none: runners are judged by their answers alone */
  readonly healthCheck?: HealthCheckOptions | undefined
  /** Limits for direct requests that wait for a free runner. @default the defaults of its fields */
  readonly waitingLine?: WaitingLineOptions | undefined
  /** Limits, retries and storage of the queue. @default the defaults of its fields */
  readonly queue?: QueueOptions | undefined
  /** Shutdown of the gateway and its runners; see `createDrain`. @default the defaults of `createDrain` */
  readonly drain?:
    | Omit<DrainOptions, 'server' | 'health' | 'logger' | 'clock' | 'env' | 'lateRequests' | 'exempt'>
    | undefined
  /** Logger of the supervisor, the gateway and the queue. @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** Clock for all timers. @default the machine's own clock */
  readonly clock?: Clock | undefined
  /** Environment from which `BALDUR_*` variables are read. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
