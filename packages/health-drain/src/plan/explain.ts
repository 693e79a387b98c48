import type { Plan } from './plan.ts'

const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(3))} s`

type Moment = readonly [ms: number, what: string]

/** The timeline in words, one moment a line, from the signal on. */
export function explainPlan(
  plan: Plan,
  lateRequests: 'serve' | 'reject',
  { hasServer, hasHealth }: { readonly hasServer: boolean; readonly hasHealth: boolean },
): string {
  const { readinessDelayMs, shutdownDelayMs, settleMs, lingerMs, requestTimeoutMs, hookTimeoutMs } = plan
  const isAsked = hasServer || hasHealth
  const aborted = shutdownDelayMs + requestTimeoutMs
  const late = lateRequests === 'serve' ? 'served' : 'answered 503'
  const only = (isShown: boolean, ...moments: Moment[]): Moment[] => (isShown ? moments : [])
  const moments: readonly Moment[] = [
    ...only(!isAsked, [0, 'workers are told to take no more']),
    ...only(!isAsked && shutdownDelayMs > 0, [
      shutdownDelayMs,
      'the delay is over; from here on what is tracked has its time',
    ]),
    ...only(isAsked && shutdownDelayMs > 0, [
      0,
      'requests are still served; answers say Connection: close, upgrades are refused',
    ]),
    ...only(hasHealth, [
      readinessDelayMs,
      'readiness, health and pool answer 503; liveness and ping stay 200',
    ]),
    ...only(isAsked && settleMs > 0, [
      shutdownDelayMs - settleMs,
      'answers keep their connections again, so that few are being opened',
    ]),
    ...only(hasServer, [
      shutdownDelayMs,
      `the listener closes; a request that still comes on an open connection is ${late}`,
    ]),
    ...only(!hasServer && isAsked, [
      shutdownDelayMs,
      `close your listener; a request that still comes through middleware is ${late}`,
    ]),
    ...only(hasServer, [shutdownDelayMs + lingerMs, 'idle connections are closed']),
    [aborted, 'what still runs is aborted and named; shutdown hooks begin, sooner if nothing runs'],
    [aborted + hookTimeoutMs, 'hooks that still run are given up and named; the process can exit'],
    [plan.gracePeriodMs - plan.preStopMs, `the platform kills (grace period ${seconds(plan.gracePeriodMs)})`],
  ]
  const lines = [...moments]
    .sort(([a], [b]) => a - b)
    .map(([ms, what]) => `${seconds(ms).padStart(8)}  ${what}`)
  if (!isAsked) return lines.join('\n')
  const balancer =
    shutdownDelayMs > 0
      ? `A balancer must have taken the instance out by ${seconds(shutdownDelayMs)}: its interval x fall + check timeout has to be shorter than ${seconds(shutdownDelayMs - readinessDelayMs)}.`
      : 'No balancer has time to notice: new connections are refused at once.'
  return [...lines, balancer].join('\n')
}
