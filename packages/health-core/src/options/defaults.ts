import type { Probe } from '../vocabulary/probe.ts'

/** Where each probe answers below the prefix. */
export const PATHS: Readonly<Record<Probe, string>> = {
  health: '/health',
  live: '/health/live',
  ready: '/health/ready',
  startup: '/health/startup',
  pool: '/health/pool',
  ping: '/health/ping',
}

interface Field<T> {
  readonly default: T
  /** The variable that gives it, in seconds where the option is in milliseconds. */
  readonly variable?: string
}

/** In milliseconds. */
export interface DurationField extends Field<number> {
  readonly min: number
  readonly max: number
}

export interface ChoiceField<Word extends string = string> extends Field<Word> {
  readonly choices: readonly Word[]
}

export type SwitchField = Field<boolean>

export type DurationPath =
  | 'readiness.budgetMs'
  | 'readiness.cacheTtlMs'
  | 'verdict.budgetMs'
  | 'verdict.l1TtlMs'
  | 'verdict.l2TtlMs'
  | 'verdict.refreshIntervalMs'
  | 'watchdog.intervalMs'
  | 'watchdog.timeoutMs'

export interface ChoiceWords {
  readonly 'readiness.timeoutFailDirection': 'not_ready' | 'ready'
  readonly expose: 'code' | 'message'
}

export type SwitchPath = 'verdict.refresh' | 'selfHealing'

// This file is the only place where defaults stand, each below its reason.

export const DURATIONS: Readonly<Record<DurationPath, DurationField>> = {
  // half of the kubelet’s default timeout of 1 s, so that the answer is ours
  'readiness.budgetMs': {
    default: 500,
    min: 50,
    max: 30_000,
    variable: 'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS',
  },
  // below the kubelet’s default period of 10 s, so that each of its polls sees a new round
  'readiness.cacheTtlMs': {
    default: 5_000,
    min: 0,
    max: 60_000,
    variable: 'BALDUR_HEALTH_CHECK_READINESS_CACHE_TTL_SECONDS',
  },
  // one run’s timeout of 2 s and room to render
  'verdict.budgetMs': {
    default: 2_500,
    min: 50,
    max: 30_000,
  },
  // what another process found out is known here within two seconds
  'verdict.l1TtlMs': {
    default: 2_000,
    min: 100,
    max: 60_000,
    variable: 'BALDUR_PRECOMPUTED_CACHE_L1_TTL_SECONDS',
  },
  // one and a half refresh intervals
  'verdict.l2TtlMs': {
    default: 15_000,
    min: 1_000,
    max: 300_000,
    variable: 'BALDUR_PRECOMPUTED_CACHE_L2_TTL_SECONDS',
  },
  // the kubelet’s default period; two thirds of the L2 TTL where that is shorter
  'verdict.refreshIntervalMs': {
    default: 10_000,
    min: 1_000,
    max: 300_000,
    variable: 'BALDUR_PRECOMPUTED_CACHE_REFRESH_INTERVAL_SECONDS',
  },
  // three kubelet periods
  'watchdog.intervalMs': {
    default: 30_000,
    min: 1_000,
    max: 3_600_000,
    variable: 'BALDUR_META_WATCHDOG_PROBE_INTERVAL_SECONDS',
  },
  // a third of its interval
  'watchdog.timeoutMs': {
    default: 10_000,
    min: 100,
    max: 60_000,
    variable: 'BALDUR_META_WATCHDOG_PROBE_TIMEOUT_SECONDS',
  },
}

export const CHOICES: { readonly [Path in keyof ChoiceWords]: ChoiceField<ChoiceWords[Path]> } = {
  // what is not known counts against readiness
  'readiness.timeoutFailDirection': {
    default: 'not_ready',
    choices: ['not_ready', 'ready'],
    variable: 'BALDUR_HEALTH_CHECK_READINESS_TIMEOUT_FAIL_DIRECTION',
  },
  // a driver’s message can name hosts and users
  expose: {
    default: 'code',
    choices: ['code', 'message'],
  },
}

export const SWITCHES: Readonly<Record<SwitchPath, SwitchField>> = {
  // an answer that is there before it is asked for costs the caller nothing
  'verdict.refresh': {
    default: true,
    variable: 'BALDUR_PRECOMPUTED_CACHE_ENABLED',
  },
  // healers run only where a check brings one
  selfHealing: {
    default: true,
    variable: 'BALDUR_ENABLED',
  },
}

/** A default and its bounds: a count, or a duration in milliseconds. */
export type NumberField = Omit<DurationField, 'variable'>

/** What a check’s own policy may be. */
export const POLICY: Readonly<
  Record<'fall' | 'rise' | 'timeoutMs' | 'connectTimeoutMs' | 'minIntervalMs', NumberField>
> = {
  // the first failure counts; the prober has a threshold of its own
  fall: {
    default: 1,
    min: 1,
    max: 100,
  },
  // the first success counts
  rise: { default: 1, min: 1, max: 100 },
  // a round trip that takes longer serves nobody
  timeoutMs: {
    default: 2_000,
    min: 10,
    max: 600_000,
  },
  // a cold TLS connection to a busy server can take seconds
  connectTimeoutMs: {
    default: 5_000,
    min: 10,
    max: 600_000,
  },
  // the caches bound the rate already
  minIntervalMs: { default: 0, min: 0, max: 86_400_000 },
}

/** How often something is tried to bring a failing check back. */
export const HEAL: Readonly<Record<'afterFailures' | 'cooldownMs' | 'maxAttempts', NumberField>> = {
  // one or two may be a packet that was lost
  afterFailures: { default: 3, min: 1, max: 1_000 },
  // what was tried has had six kubelet periods to show
  cooldownMs: { default: 60_000, min: 0, max: 86_400_000 },
  // what has not helped five times will not at the sixth
  maxAttempts: { default: 5, min: 1, max: 1_000 },
}

/** Bound on one try to heal, in milliseconds: reconnecting waits for name service, TCP and TLS in turn. */
export const HEAL_TIMEOUT_MS = 30_000

/** What observing the app’s own answers may be. */
export const OBSERVE: Readonly<Record<'fall' | 'holdMs', NumberField>> = {
  // a single 503 can be crafted by a caller, three with no other answer in between are an outage
  fall: { default: 3, min: 1, max: 100 },
  // the kubelet’s default period, so that a poll sees it
  holdMs: { default: 10_000, min: 10, max: 600_000 },
}

type DiskNumber = 'minFreePercent' | 'minFreeBytes' | 'minFreeInodesPercent'

/** What `diskCheck` wants free. */
export const DISK: Readonly<Record<DiskNumber, NumberField>> = {
  // the kubelet’s default threshold for evicting pods, counted as df does, for others than root
  minFreePercent: { default: 10, min: 0, max: 100 },
  // a disk of any size; given alone it takes the place of the percentage
  minFreeBytes: { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER },
  // the kubelet’s default threshold too; not asked of a file system that counts none
  minFreeInodesPercent: { default: 5, min: 0, max: 100 },
}

/** From where on the event loop counts as held up. */
export const EVENT_LOOP: Readonly<Record<'maxDelayMs' | 'maxUtilizationPercent', NumberField>> = {
  // the kubelet’s default timeout: a probe in that moment would have failed
  maxDelayMs: { default: 1_000, min: 10, max: 600_000 },
  // what is left could not take a peak
  maxUtilizationPercent: { default: 95, min: 1, max: 100 },
}

/** From where on memory counts as short. */
export const MEMORY: Readonly<Record<'maxPercent', NumberField>> = {
  // above it V8 collects ever more often, and the kernel is one burst away from killing
  maxPercent: { default: 90, min: 1, max: 100 },
}

/** Runs in a row before memory counts as short: a peak that the next collection frees is no leak. */
export const MEMORY_FALL = 3

/** How often the event loop’s delay is looked at. A pause is seen to this, and it costs 20 wake-ups a second. */
export const LOOP_SAMPLE_MS = 50

/** Utilisation over less than this says nothing: a loop that runs is busy at that moment. */
export const LOOP_WINDOW_MS = 1_000

/** What is read of an HTTP answer’s body before its connection is let go: what a health endpoint says, many times over. */
export const HTTP_BODY_BYTES = 65_536

/** Between the two looks that must both see a full pool or a missing store: a burst is over by then, and a third of the timeout leaves each look as much again. */
export const SECOND_LOOK = { pauseMs: 1_000, partOfTimeout: 3 } as const

/** For so long a run may be outstanding before the watchdog speaks of it: far above every timeout that serves a prober. */
export const OUTSTANDING_MS = 300_000

/** When the watchdog tells somebody. */
export const ESCALATION: { readonly afterMs: number; readonly againMs: number } = {
  // 180 s at the usual interval, less what six timers may be off in all
  afterMs: 179_500,
  // whoever has not acted on the first is reminded, not flooded
  againMs: 3_600_000,
}

/** How a notice is brought to its webhook. */
export const NOTICE: {
  readonly attempts: number
  readonly timeoutMs: number
  readonly firstBackoffMs: number
  readonly longestBackoffMs: number
  readonly maxPending: number
} = {
  // with pauses of two minutes in all, in which a receiver has been restarted
  attempts: 8,
  // whoever receives notices puts them in a queue and answers
  timeoutMs: 10_000,
  // 1, 2, 4, ... 60 s
  firstBackoffMs: 1_000,
  // a receiver that is back is found within a minute
  longestBackoffMs: 60_000,
  // several components, each bad and well again
  maxPending: 32,
}

/** The pool endpoint has no options: its bound is one run and room to render, its age a second, since people watch it live. */
export const POOL: { readonly budgetMs: number; readonly cacheTtlMs: number } = {
  budgetMs: 2_500,
  cacheTtlMs: 1_000,
}

/** Between two `?nocache=true` computations, so that a stranger cannot load the database with them. */
export const BYPASS_INTERVAL_MS = 1_000

/** Between two runs for whoever only watches: a person sees what happened within a second, and a database does not feel it. */
export const WATCH_INTERVAL_MS = 1_000

/** What the background refresher keeps to. */
export const REFRESH: { readonly idleMs: number; readonly longestBackoffMs: number } = {
  // ten times the longest usual interval between two polls (ALB, 30 s)
  idleMs: 300_000,
  // when our own code breaks again and again, twelve tries an hour are enough
  longestBackoffMs: 300_000,
}

/** What the shared store is held to. */
export const STORE: {
  readonly waitMs: number
  readonly lookAgainMs: number
  readonly failures: number
  readonly restMs: number
  readonly claimSlackMs: number
} = {
  // far above a round trip in one region, and not felt within any prober's timeout
  waitMs: 50,
  // a database on the same network has answered the other process by then
  lookAgainMs: 10,
  // one may be a connection that broke
  failures: 3,
  // one refresh interval
  restMs: 10_000,
  // a claim outlives the longest computation by what writing its result may take
  claimSlackMs: 500,
}

/** Computations of the verdict in a row that throw before it is left alone, and for how long. */
export const BROKEN_VERDICT: { readonly after: number; readonly forMs: number } = { after: 3, forMs: 30_000 }

/** Moves of the verdict that are kept to be shown. */
export const HISTORY_LENGTH = 50

/** Between two log lines about a verdict that stays bad. */
export const REMIND_MS = 60_000

/** How often a cached answer with an age or gauges in it is rendered anew. */
export const RENDER_INTERVAL_MS = 100

/** How long after the last readiness probe a slow check is still kept warm: twice the longest usual interval (ALB, 30 s). */
export const KEEP_WARM_MS = 60_000

/** How long after its abort a run may still be letting go (a socket that closes) before it is called stuck. */
export const STUCK_AFTER_MS = 1_000

/** Seconds that a drain tells clients to wait when it does not say. */
export const RETRY_AFTER_SECONDS = 1
