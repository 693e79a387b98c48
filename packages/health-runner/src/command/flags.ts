import { type Bounds, GATEWAY, HEALTH_CHECK, QUEUE, RUNNERS, WAITING_LINE } from '../settings/defaults.ts'
import { SECRET_HEADERS } from '../vocabulary/secret-headers.ts'

/** One flag of the command, and the option that it sets. */
export type Flag = {
  /** Without its dashes. */
  readonly name: string
  /** The path of the option in `RunnersOptions`. */
  readonly option: string
  /** For `--help`. */
  readonly what: string
} & (
  | { readonly kind: 'number'; readonly bounds: Bounds }
  /** A number of the drain, which knows its bounds itself. */
  | { readonly kind: 'drain'; readonly unit: 'seconds' | 'whole seconds' }
  | {
      readonly kind: 'text'
      readonly meta: string
      readonly pattern: RegExp
      readonly allowed: string
      readonly usual?: string | undefined
    }
  | { readonly kind: 'port'; readonly usual: number }
  /** The words as they are written, and what they stand for. */
  | { readonly kind: 'choice'; readonly words: Readonly<Record<string, string>>; readonly usual?: string }
  /** Several of the words, separated by commas. */
  | { readonly kind: 'list'; readonly words: readonly string[] }
)

export interface FlagGroup {
  readonly title: string
  readonly flags: readonly Flag[]
}

const number = (name: string, option: string, bounds: Bounds, what: string): Flag => ({
  ...{ kind: 'number', name, option, bounds, what },
})
const drain = (name: string, option: string, what: string): Flag => ({
  ...{ kind: 'drain', name: `drain-${name}`, option: `drain.${option}`, what, unit: 'seconds' },
})
const PATH = { pattern: /^\/[!-~]*$/, allowed: 'a path that begins with /, percent-encoded', meta: 'PATH' }
const TEXT = /./s

/** Every flag, in the order of `--help`; defaults and bounds come from the settings. */
export const FLAG_GROUPS: readonly FlagGroup[] = [
  {
    title: 'Runners',
    flags: [
      number('runners', 'runners', RUNNERS.runners, 'how many processes'),
      {
        ...{
          kind: 'text',
          name: 'cwd',
          option: 'cwd',
          what: 'the folder in which they run, and a script is looked for',
        },
        ...{ meta: 'FOLDER', pattern: TEXT, allowed: 'a folder', usual: 'this one' },
      },
      number(
        'start-timeout',
        'startTimeoutMs',
        RUNNERS.startTimeoutMs,
        'from the start of a process until it is ready',
      ),
      number(
        'request-timeout',
        'requestTimeoutMs',
        RUNNERS.requestTimeoutMs,
        'how long a runner may take for a request',
      ),
      number('kill-after', 'killAfterMs', RUNNERS.killAfterMs, 'from SIGTERM to SIGKILL'),
      number(
        'direct-concurrency',
        'directConcurrency',
        RUNNERS.directConcurrency,
        'direct requests at a time, each runner',
      ),
      number(
        'queued-concurrency',
        'queuedConcurrency',
        RUNNERS.queuedConcurrency,
        'queued requests at a time, each runner',
      ),
      {
        ...{ kind: 'choice', name: 'replace', option: 'replace', usual: GATEWAY.replace.replace('_', '-') },
        words: { 'start-first': 'start_first', 'stop-first': 'stop_first' },
        what: 'whether the next process starts before the ill one has ended',
      },
    ],
  },
  {
    title: 'Gateway',
    flags: [
      {
        kind: 'port',
        name: 'port',
        option: 'port',
        usual: GATEWAY.port,
        what: 'where it listens; 0 picks a free one',
      },
      {
        ...{ kind: 'text', name: 'host', option: 'host', what: 'the address on which it listens' },
        ...{ meta: 'HOST', pattern: /^[^\s/]+$/, allowed: 'an address or a name', usual: GATEWAY.host },
      },
      {
        ...{
          kind: 'text',
          name: 'prefix',
          option: 'prefix',
          what: 'where its own probes are: PREFIX/health/ready',
        },
        ...{ ...PATH, meta: 'PREFIX', usual: GATEWAY.prefix },
      },
      number(
        'max-waiting',
        'waitingLine.max',
        WAITING_LINE.max,
        'direct requests that wait for a free runner',
      ),
      number('waiting-timeout', 'waitingLine.timeoutMs', WAITING_LINE.timeoutMs, 'how long one waits'),
    ],
  },
  {
    title: 'Health checks of the runners',
    flags: [
      {
        ...{ kind: 'text', name: 'health-path', option: 'healthCheck.path', ...PATH, usual: 'none' },
        what: 'a path of the app that is asked again and again; the others need it',
      },
      number('health-interval', 'healthCheck.intervalMs', HEALTH_CHECK.intervalMs, 'between two questions'),
      number('health-timeout', 'healthCheck.timeoutMs', HEALTH_CHECK.timeoutMs, 'for one answer'),
      number(
        'health-grace',
        'healthCheck.graceMs',
        HEALTH_CHECK.graceMs,
        'failures do not count for so long after the start',
      ),
      number(
        'health-failures',
        'healthCheck.failures',
        HEALTH_CHECK.failures,
        'so many in a row end a runner',
      ),
    ],
  },
  {
    title: 'Queue',
    flags: [
      number('queue-max', 'queue.max', QUEUE.max, 'requests that wait or run'),
      number('queue-max-body', 'queue.maxBodyBytes', QUEUE.maxBodyBytes, 'of one request'),
      number('queue-max-answer', 'queue.maxAnswerBytes', QUEUE.maxAnswerBytes, 'of one answer'),
      number(
        'queue-max-kept',
        'queue.maxKeptBytes',
        QUEUE.maxKeptBytes,
        'of all that are kept; for room only fetched results go early',
      ),
      number('queue-keep-for', 'queue.keepForMs', QUEUE.keepForMs, 'how long a result is kept'),
      number('queue-attempts', 'queue.attempts', QUEUE.attempts, 'how many times a request is begun at most'),
      number(
        'queue-backoff',
        'queue.backoffMs',
        QUEUE.backoffMs,
        'before the second attempt, doubled for each further one',
      ),
      number('queue-max-backoff', 'queue.maxBackoffMs', QUEUE.maxBackoffMs, 'at most'),
      {
        ...{ kind: 'list', name: 'queue-keep-headers', option: 'queue.keepHeaders' },
        ...{
          words: SECRET_HEADERS,
          what: 'which of these a runner is given, though they hold a secret; all others are kept anyway',
        },
      },
    ],
  },
  {
    title: 'Drain',
    flags: [
      {
        ...{ kind: 'choice', name: 'drain-preset', option: 'drain.preset', usual: 'kubernetes' },
        words: {
          kubernetes: 'kubernetes',
          'load-balancer': 'loadBalancer',
          'external-traffic-local': 'externalTrafficLocal',
          docker: 'docker',
          development: 'development',
        },
        what: 'whose numbers the rest has',
      },
      drain('shutdown-delay', 'shutdownDelayMs', 'from the signal until the gateway takes nothing more'),
      drain('readiness-delay', 'readinessDelayMs', 'from the signal until its readiness turns'),
      drain('settle', 'settleMs', 'the last part of the delay'),
      drain('linger', 'lingerMs', 'from the end of the delay until idle connections end'),
      drain('request-timeout', 'requestTimeoutMs', 'for requests and the queue to end'),
      drain('hook-timeout', 'hookTimeoutMs', 'for the runners to end'),
      drain('grace-period', 'gracePeriodMs', 'the platform’s, from its signal to its kill'),
      drain('pre-stop', 'preStopMs', 'what the platform spends before its signal'),
      {
        ...{
          kind: 'drain',
          name: 'drain-retry-after',
          option: 'drain.retryAfterSeconds',
          unit: 'whole seconds',
        },
        what: 'said to those who come too late',
      },
    ],
  },
]

export const FLAGS: readonly Flag[] = FLAG_GROUPS.flatMap(({ flags }) => flags)
/** Those that take no value. */
export const SWITCHES = {
  verbose: 'also a line for each request that a runner begins or ends, that fails, or whose client leaves',
  help: 'this',
  version: 'the version',
} as const

/** A bound as it is written on the command line: seconds where the option has milliseconds. */
export const shownNumber = (value: number, { unit }: Pick<Bounds, 'unit'>): string =>
  String(unit === 'milliseconds' ? value / 1_000 : value)

const UNITS = { milliseconds: ' seconds', bytes: ' bytes', '': ', whole' } as const

/** What a flag allows, in words. */
export function allowedBy(flag: Flag): string {
  switch (flag.kind) {
    case 'number': {
      const { bounds } = flag
      return `${shownNumber(bounds.min, bounds)} to ${shownNumber(bounds.max, bounds)}${UNITS[bounds.unit]}`
    }
    case 'drain':
      return flag.unit
    case 'text':
      return flag.allowed
    case 'port':
      return 'a port from 0 to 65535 (0 picks one)'
    case 'choice':
      return Object.keys(flag.words).join(' or ')
    case 'list':
      return `${flag.words.join(' or ')}, separated by commas`
  }
}
