/** The durations of a drain, in milliseconds. The defaults are those of the preset `kubernetes`. */
export interface Durations {
  /**
   * Time from the start of the drain until the listener closes, in milliseconds. Meanwhile requests are served, and answers ask clients
   * to close their connections. Longer than the time in which the balancer notices. @default 5000
   */
  readonly shutdownDelayMs: number
  /** Time from the start until readiness answers 503, in milliseconds. @default 0 */
  readonly readinessDelayMs: number
  /** The last part of the delay, in milliseconds, in which answers keep their connections open again. @default 300 */
  readonly settleMs: number
  /** Time from the end of the delay until idle connections are closed, in milliseconds. @default 500 */
  readonly lingerMs: number
  /**
   * Time from the end of the delay until requests that still run are aborted, in milliseconds. @default the rest of the grace period,
   * without the hooks and a margin of 2 s: 20000
   */
  readonly requestTimeoutMs: number
  /** Time for all shutdown hooks together, in milliseconds. @default 3000 */
  readonly hookTimeoutMs: number
  /** Grace period of the platform, from its signal to its kill, in milliseconds. @default 30000 */
  readonly gracePeriodMs: number
  /** Time that the platform spends on a `preStop` hook before its signal, in milliseconds. It counts towards the grace period. @default 0 */
  readonly preStopMs: number
}

/** The same keys, each optional. A mapped type of this form keeps their docs, which `Record` would drop. */
export type Loose<T> = { readonly [Key in keyof T]?: T[Key] | undefined }

export type PresetName = 'kubernetes' | 'loadBalancer' | 'externalTrafficLocal' | 'docker' | 'development'

/** What a preset says; the rest is `BASE`, and requests get what remains. */
type Preset = Readonly<
  Pick<Durations, 'shutdownDelayMs' | 'gracePeriodMs'> &
    Partial<Pick<Durations, 'readinessDelayMs' | 'hookTimeoutMs'>>
>

// This file is the only place where numbers stand, each below its reason.

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  // every node and ingress hears of the terminating pod in its own time, a few seconds; 30 s is the platform's default grace period
  kubernetes: { shutdownDelayMs: 5_000, gracePeriodMs: 30_000 },
  // HAProxy's defaults (inter 2 s, fall 3) need about 6 s, and cloud balancers that ask every 5 s and want two failures somewhat more
  loadBalancer: { shutdownDelayMs: 15_000, gracePeriodMs: 45_000 },
  // the cloud's balancer asks each node, and needs a poll or two to leave one whose last pod terminates: until then that pod has to look ready
  externalTrafficLocal: { readinessDelayMs: 12_000, shutdownDelayMs: 20_000, gracePeriodMs: 60_000 },
  // `docker stop` kills after 10 s
  docker: { shutdownDelayMs: 1_000, hookTimeoutMs: 2_000, gracePeriodMs: 10_000 },
  // nobody has to notice
  development: { shutdownDelayMs: 0, gracePeriodMs: 30_000 },
}

export const BASE: Readonly<
  Record<'readinessDelayMs' | 'settleMs' | 'lingerMs' | 'hookTimeoutMs' | 'preStopMs', number>
> = {
  // balancers shall notice as soon as they ask
  readinessDelayMs: 0,
  // a balancer's pool of connections fills again in this time, so that few are being opened when the listener closes
  settleMs: 300,
  // an answer that was on its way, the client's next request on the same connection, and room
  lingerMs: 500,
  // pools close in less
  hookTimeoutMs: 3_000,
  // this delay takes the place of a preStop hook that sleeps
  preStopMs: 0,
}

/** Between the end of everything and the platform's kill: a busy process is late. */
export const MARGIN_MS = 2_000

interface Bounds {
  readonly min: number
  readonly max: number
  /** The variable that gives it, in seconds. */
  readonly variable?: string
}

export const BOUNDS: Readonly<Record<keyof Durations, Bounds>> = {
  shutdownDelayMs: { min: 0, max: 300_000, variable: 'BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS' },
  readinessDelayMs: { min: 0, max: 300_000 },
  settleMs: { min: 0, max: 60_000 },
  lingerMs: { min: 0, max: 60_000 },
  requestTimeoutMs: { min: 100, max: 3_600_000, variable: 'BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS' },
  hookTimeoutMs: { min: 0, max: 300_000, variable: 'BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS' },
  gracePeriodMs: { min: 1_000, max: 3_600_000, variable: 'BALDUR_DRAIN_GRACE_PERIOD_SECONDS' },
  preStopMs: { min: 0, max: 3_600_000 },
}

/** Seconds in `Retry-After` where the options do not say. */
export const RETRY_AFTER_SECONDS = 1

/** Not settings: how long things that nobody waits for may take. */
export const LIMITS: Readonly<
  Record<'quietMs' | 'addressMs' | 'silentMs' | 'halfOpenMs' | 'uploadMs' | 'fatalMs', number>
> = {
  /** The listener closes after this at the latest, however many connections keep coming. */
  quietMs: 1_000,
  /** A server that begins to listen too late is closed after this: whoever waits for it looks at its address, Fastify after a lookup. */
  addressMs: 100,
  /** A connection that has sent nothing, or half a request and then nothing more, is given up after this. */
  silentMs: 300,
  /** A connection that was ended, and whose client does not end its side, is destroyed after this. */
  halfOpenMs: 300,
  /** An upload that was answered is read past until nothing has come for so long: closing a connection that still sends resets it, and the answer may be lost with it. */
  uploadMs: 1_000,
  /** After an uncaught error the process is not to be trusted for longer. */
  fatalMs: 5_000,
}
