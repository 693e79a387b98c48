import type { Plan } from './plan.ts'

const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(3))} s`

/** The timeline in words, one moment a line, from the signal on. */
export function explainPlan(plan: Plan, lateRequests: 'serve' | 'reject'): string {
  const { readinessDelayMs, shutdownDelayMs, settleMs, lingerMs, requestTimeoutMs, hookTimeoutMs } = plan
  const aborted = shutdownDelayMs + requestTimeoutMs
  const ended = aborted + hookTimeoutMs
  const late = lateRequests === 'serve' ? 'served' : 'answered 503'
  const moments: readonly (readonly [ms: number, what: string])[] = [
    ...(shutdownDelayMs > 0
      ? ([[0, 'requests are still served; answers say Connection: close, upgrades are refused']] as const)
      : []),
    [readinessDelayMs, 'readiness, health and pool answer 503; liveness and ping stay 200'],
    ...(settleMs > 0
      ? ([
          [shutdownDelayMs - settleMs, 'answers keep their connections again, so that few are being opened'],
        ] as const)
      : []),
    [shutdownDelayMs, `the listener closes; a request that still comes on an open connection is ${late}`],
    [shutdownDelayMs + lingerMs, 'idle connections are closed'],
    [aborted, 'what still runs is aborted and named; shutdown hooks begin, sooner if nothing runs'],
    [ended, 'hooks that still run are given up and named; the process can exit'],
    [plan.gracePeriodMs - plan.preStopMs, `the platform kills (grace period ${seconds(plan.gracePeriodMs)})`],
  ]
  const lines = [...moments]
    .sort(([a], [b]) => a - b)
    .map(([ms, what]) => `${seconds(ms).padStart(8)}  ${what}`)
  const balancer =
    shutdownDelayMs > 0
      ? `A balancer must have taken the instance out by ${seconds(shutdownDelayMs)}: its interval x fall + check timeout has to be shorter than ${seconds(shutdownDelayMs - readinessDelayMs)}.`
      : 'No balancer has time to notice: new connections are refused at once.'
  return [...lines, balancer].join('\n')
}
