import type { Clock, Logger } from '@baldur/health-core'
import type { DrainOptions } from '@baldur/health-drain'
import type { QueueStore } from './vocabulary/queue-store.ts'

/** Which endpoint of a runner is asked, and how. */
export interface HealthCheckOptions {
  /** A path of the app; 2xx and 3xx are good. */
  readonly path: string
  /** From the end of one question to the next, in milliseconds. @default 15000 */
  readonly intervalMs?: number | undefined
  /** For the whole answer, in milliseconds. @default 5000 */
  readonly timeoutMs?: number | undefined
  /** Failures do not count for so long after the runner became ready, in milliseconds. @default 30000 */
  readonly graceMs?: number | undefined
  /** So many failures in a row end the runner. @default 3 */
  readonly failures?: number | undefined
}

export interface WaitingLineOptions {
  /** Direct requests that wait for a free runner; one more is answered 503 at once. @default 100 */
  readonly max?: number | undefined
  /** How long one waits, in milliseconds; then it is answered 503, or 504 while no runner is ready. @default 30000 */
  readonly timeoutMs?: number | undefined
}

export interface QueueOptions {
  /** Requests that wait or run; one more is answered 503. @default 10000 */
  readonly max?: number | undefined
  /** Of one request, in bytes; a longer one is answered 413. @default 10485760 */
  readonly maxBodyBytes?: number | undefined
  /** Of one answer, in bytes; a longer one is recorded as an error. @default 10485760 */
  readonly maxAnswerBytes?: number | undefined
  /**
   * Of all requests and results that are kept, in bytes. Where room is needed, results that were fetched go before their time, the oldest first, with their
   * idempotency keys. One that nobody has fetched never does: while those leave no room, new requests are answered 503, and those in line wait. @default 268435456
   */
  readonly maxKeptBytes?: number | undefined
  /** How long a result is kept, in milliseconds; one that was fetched may go before, see `maxKeptBytes`. @default 3600000 */
  readonly keepForMs?: number | undefined
  /** How many times a request is begun at most. @default 10 */
  readonly attempts?: number | undefined
  /** Before the second attempt, in milliseconds; doubled before each further one. @default 1000 */
  readonly backoffMs?: number | undefined
  /** @default 30000 */
  readonly maxBackoffMs?: number | undefined
  /** Of `authorization`, `cookie` and `proxy-authorization`, those that are kept with a request and given to its runner, although they hold a secret. All others are always kept. @default none */
  readonly keepHeaders?: readonly string[] | undefined
  /** @default in memory */
  readonly store?: QueueStore | undefined
}

/** What `startRunners` takes. `undefined` means absent; unknown keys are refused. */
export interface RunnersOptions {
  /** What each runner runs: a program and its arguments. One name that ends in .js, .mjs or .cjs is run by this Node, .ts where it can (22.18, 23.6 and later). A script is looked for in `cwd`. */
  readonly command: string | readonly string[]
  /** The folder in which they run. @default that of this process */
  readonly cwd?: string | undefined
  /** Variables of the runners beside this process's own. `PORT` and `HOST` are set for each. */
  readonly runnerEnv?: Readonly<Record<string, string | undefined>> | undefined
  /** How many. @default 1 */
  readonly runners?: number | undefined
  /** Of the gateway. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Of the gateway; 0 picks a free one. @default 8080 */
  readonly port?: number | undefined
  /** Where the gateway's own probes are, which no runner sees: `<prefix>/health/ready` and its siblings. @default '/gateway' */
  readonly prefix?: string | undefined
  /** From the start of a process until it is ready, in milliseconds; it is ended then. @default 60000 */
  readonly startTimeoutMs?: number | undefined
  /** How long a runner may take for a request, in milliseconds. @default 60000 */
  readonly requestTimeoutMs?: number | undefined
  /** From SIGTERM to SIGKILL, in milliseconds. @default 5000 */
  readonly killAfterMs?: number | undefined
  /** Direct requests that one runner is given at a time. @default 16 */
  readonly directConcurrency?: number | undefined
  /** Queued requests that one runner is given at a time. @default 1 */
  readonly queuedConcurrency?: number | undefined
  /** Whether the next process is started before the ill one has ended. @default 'start_first' */
  readonly replace?: 'start_first' | 'stop_first' | undefined
  readonly healthCheck?: HealthCheckOptions | undefined
  readonly waitingLine?: WaitingLineOptions | undefined
  readonly queue?: QueueOptions | undefined
  /** How the whole leaves; see `createDrain`. */
  readonly drain?:
    | Omit<DrainOptions, 'server' | 'health' | 'logger' | 'clock' | 'env' | 'lateRequests' | 'exempt'>
    | undefined
  /** @default warnings and errors to standard error */
  readonly logger?: Logger | undefined
  /** @default the machine's own clock */
  readonly clock?: Clock | undefined
  /** Where `BALDUR_*` is read from. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
