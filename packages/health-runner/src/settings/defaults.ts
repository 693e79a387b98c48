// This file is the only place where numbers stand, each below its reason.

/** What an option may be, and is when nobody says. */
export interface Bounds {
  readonly usual: number
  readonly min: number
  readonly max: number
  readonly unit: 'milliseconds' | 'bytes' | ''
}

const ms = (usual: number, min: number, max: number): Bounds => ({ usual, min, max, unit: 'milliseconds' })
const count = (usual: number, min: number, max: number): Bounds => ({ usual, min, max, unit: '' })
const bytes = (usual: number, min: number, max: number): Bounds => ({ usual, min, max, unit: 'bytes' })

const DAY_MS = 86_400_000
const MIB = 1_048_576

/** Of the gateway, beside its numbers. */
export const GATEWAY: Readonly<{
  host: string
  port: number
  prefix: string
  replace: 'start_first' | 'stop_first'
}> = {
  // reachable from the machine alone until somebody says otherwise
  host: '127.0.0.1',
  // what is in front of application servers, by custom
  port: 8_080,
  // a word that no app's own path is likely to begin with
  prefix: '/gateway',
  // capacity never drops below what was asked for
  replace: 'start_first',
}

/** A runner's own side. */
export const SERVE: Readonly<{
  host: string
  port: number
  acknowledgeMs: number
  sayings: number
  failedMs: number
  retryAfterSeconds: number
}> = {
  // a runner is reached through its supervisor, on the same machine
  host: '127.0.0.1',
  // where no PORT is set: what most services of Node take
  port: 3_000,
  // a supervisor on the same machine answers within a millisecond; this is for one whose machine is overloaded
  acknowledgeMs: 2_000,
  // that it is ready is said so often; a supervisor that has not heard it ends the runner at the start timeout
  sayings: 5,
  // after a start that failed, for what the app itself holds; nobody waits for an answer of it
  failedMs: 2_000,
  // a setup under way may end at any moment
  retryAfterSeconds: 1,
}

export const RUNNERS: Readonly<
  Record<
    | 'runners'
    | 'startTimeoutMs'
    | 'requestTimeoutMs'
    | 'killAfterMs'
    | 'directConcurrency'
    | 'queuedConcurrency',
    Bounds
  >
> = {
  // one is a service already; more is a question of cores, which the user answers
  runners: count(1, 0, 1_000),
  // loading a model or warming a cache takes its time; a container platform's own patience is of this order
  startTimeoutMs: ms(60_000, 100, DAY_MS),
  // the usual time-out of balancers in front
  requestTimeoutMs: ms(60_000, 10, DAY_MS),
  // what a process may take to close its pools
  killAfterMs: ms(5_000, 0, 300_000),
  // what one Node process answers side by side without its answers getting slow
  directConcurrency: count(16, 1, 10_000),
  // queued work is heavy: one at a time
  queuedConcurrency: count(1, 1, 10_000),
}

export const HEALTH_CHECK: Readonly<Record<'intervalMs' | 'timeoutMs' | 'graceMs' | 'failures', Bounds>> = {
  intervalMs: ms(15_000, 10, DAY_MS),
  timeoutMs: ms(5_000, 10, 300_000),
  // an app that is ready may still be warming up
  graceMs: ms(30_000, 0, DAY_MS),
  failures: count(3, 1, 100),
}

export const WAITING_LINE: Readonly<Record<'max' | 'timeoutMs', Bounds>> = {
  max: count(100, 0, 100_000),
  // half of what clients and balancers usually wait for
  timeoutMs: ms(30_000, 0, DAY_MS),
}

export const QUEUE: Readonly<
  Record<
    | 'max'
    | 'maxBodyBytes'
    | 'maxAnswerBytes'
    | 'maxKeptBytes'
    | 'keepForMs'
    | 'attempts'
    | 'backoffMs'
    | 'maxBackoffMs',
    Bounds
  >
> = {
  max: count(10_000, 1, 1_000_000),
  maxBodyBytes: bytes(10 * MIB, 0, 1_024 * MIB),
  maxAnswerBytes: bytes(10 * MIB, 0, 1_024 * MIB),
  // a heap of Node holds buffers outside of it: this is what one process may take beside
  maxKeptBytes: bytes(256 * MIB, 65_536, 1_048_576 * MIB),
  keepForMs: ms(3_600_000, 1, 30 * DAY_MS),
  attempts: count(10, 1, 1_000),
  backoffMs: ms(1_000, 0, DAY_MS),
  maxBackoffMs: ms(30_000, 0, DAY_MS),
}

/** What no option says. */
export const FIXED: Readonly<
  Record<
    | 'connectTimeoutMs'
    | 'ill503Ms'
    | 'guardShare'
    | 'guardWithinMs'
    | 'guardProofs'
    | 'crashBackoffMs'
    | 'maxCrashBackoffMs'
    | 'portPollMs'
    | 'overdueMs'
    | 'drainLookMs'
    | 'clientIdleMs'
    | 'clientWindowBytes'
    | 'keeperKillMs'
    | 'refusalLogMs'
    | 'keeperLastMs'
    | 'keeperSettleMs'
    | 'suspectMs'
    | 'leftoverMs'
    | 'wordBytes'
    | 'errorChars'
    | 'answerHeadBytes'
    | 'addedHeadBytes'
    | 'pipelined'
    | 'keepAliveMs'
    | 'clientHeadMs'
    | 'clientCheckMs'
    | 'clientLingerMs'
    | 'retryAfterSeconds'
    | 'controlConnections',
    number
  >
> = {
  /** A connection to a runner on the same host takes less than a millisecond; its accept queue may be full. */
  connectTimeoutMs: 5_000,
  /** After the head of a 503 its body has this long; then the runner is told to end all the same. */
  ill503Ms: 1_000,
  /** The guard: this share of the runners, at least one, may be ended for what they showed … */
  guardShare: 0.3,
  /** … within this time. */
  guardWithinMs: 300_000,
  /** In it so many endings for one reason in one place stop counting with a good answer; more are no matter of one process. */
  guardProofs: 5,
  /** Before a process that follows one that died without having served, doubled for each further one … */
  crashBackoffMs: 1_000,
  /** … up to this. */
  maxCrashBackoffMs: 30_000,
  /** From one look at a runner's port to the next while it starts. */
  portPollMs: 25,
  /** From one look to the next whether anything but WebSockets and streams of events is still under way in a drain. */
  drainLookMs: 25,
  /** From one look to the next whether queued requests have missed their start. */
  overdueMs: 250,
  /** A client that sends its request's body, or takes an answer, is waited for this long between two pieces. */
  clientIdleMs: 60_000,
  /** So many bytes of a body give a client that whole time again, fewer a part of it: 240 a second, which the slowest line does and other servers ask for too. */
  clientWindowBytes: 14_400,
  /** The head of an answer; four times what Node's own servers take of a request, since a runner is not to end for a long cookie. */
  answerHeadBytes: 65_536,
  /** What is added at most to the head of a request: where it came from, its host, its id. So much less is taken than Node's own servers take, so that no runner refuses what the gateway took. */
  addedHeadBytes: 512,
  /** Requests that a client has sent behind one that is being answered, on one connection. Beyond it the connection ends. */
  pipelined: 64,
  /** Connections of clients are kept between requests for this long: more than the 60 s of balancers, so that it is they who close. */
  keepAliveMs: 75_000,
  /** A client that sends the head of a request is waited for this long … */
  clientHeadMs: 60_000,
  /** … as is looked after this often. */
  clientCheckMs: 5_000,
  /** After an answer to something that is no request, so that the answer is read before the connection is gone. */
  clientLingerMs: 1_000,
  /** What a client is told that found no room. */
  retryAfterSeconds: 1,
  /** Runners get this from SIGTERM to SIGKILL when the supervisor is gone and the keeper ends them. */
  keeperKillMs: 2_000,
  /** From one line about refused requests to the next. */
  refusalLogMs: 60_000,
  /** What is left of runners that have used all of their own time gets this: within the room that the hook has beside it. */
  keeperLastMs: 500,
  /** The keeper looks once more after this: a process that was just being started has its variables by then. */
  keeperSettleMs: 100,
  /** A broken connection is often the first that is seen of a process that dies: its exit is waited for so long. */
  suspectMs: 100,
  /** After SIGKILL a group that still seems to be there is taken for gone: nobody reaps its dead. */
  leftoverMs: 1_000,
  /** Of one line of a runner to its supervisor: a stack trace has its place in it. */
  wordBytes: 65_536,
  /** Of what it says of its failure: a line of a log. */
  errorChars: 500,
  /** Of runners to their supervisor at a time: some for each of the most that there can be. */
  controlConnections: 4_096,
}

/** What shutdown hooks may take when nobody says: the runners' SIGKILL, and room. */
export const HOOK_ROOM_MS = 1_000

/** Of the queue, what no option says. */
export const QUEUE_FIXED: Readonly<
  Record<
    | 'entryBytes'
    | 'bodyBytes'
    | 'bodyMs'
    | 'jitterShare'
    | 'storeRetryMs'
    | 'maxStoreRetryMs'
    | 'startTimeoutMaxSeconds'
    | 'keyMaxLength'
    | 'countedTogether'
    | 'rareLineMs'
    | 'longestTimerMs',
    number
  >
> = {
  /** What a body takes at least while it comes; then it is doubled. */
  bodyBytes: 4_096,
  /** From the first byte of a request's body to its last: what Node's own servers give a whole request. */
  bodyMs: 300_000,
  /** What a request or a result takes beside its headers and its body: 0.6 KB of the heap were seen for empty ones, and the strings of headers take more than their length. */
  entryBytes: 1_024,
  /** A delay is shorter by up to this share of it, so that what failed together does not come back together. */
  jitterShare: 0.2,
  /** Before the store is asked again when it could not be reached, doubled each further time … */
  storeRetryMs: 1_000,
  /** … up to this. */
  maxStoreRetryMs: 30_000,
  /** A start deadline is at most a day away. */
  startTimeoutMaxSeconds: 86_400,
  /** What other services take as an idempotency key too. */
  keyMaxLength: 255,
  /** Places in line that are counted as one: a place among 10 000 takes about 20 blocks and half of one. */
  countedTogether: 512,
  /** What may happen with every request is said in the log no more often than this. */
  rareLineMs: 60_000,
  /** Timers of Node cannot be longer; a longer wait is asked for again. */
  longestTimerMs: 2 ** 31 - 1,
}
