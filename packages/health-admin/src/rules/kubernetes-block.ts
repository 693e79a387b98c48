import type { HealthExplanation } from '@baldur/health-core'
import type { AdminDrain } from '../options.ts'

const seconds = (ms: number): number => Math.ceil(ms / 1_000)

interface Probe {
  readonly path: string
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}

const probe = (
  name: string,
  { path, ...numbers }: Probe,
  why: Partial<Record<keyof Probe, string>>,
): string[] => [
  `${name}:`,
  `  httpGet: { path: ${/^[\w/.-]+$/.test(path) ? path : JSON.stringify(path)}, port: http }`,
  ...Object.entries(numbers).map(([key, value]) => {
    const reason = why[key as keyof Probe]
    return `  ${key}: ${value}${reason === undefined ? '' : `  # ${reason}`}`
  }),
]

/** The probes of a container, and of its pod the grace period, that fit the numbers in force; `http` is the port of the service. */
export function kubernetesBlock(
  { prefix, paths, readiness }: HealthExplanation,
  drain: Pick<AdminDrain, 'plan'> | undefined,
): string {
  // a caller that waits twice the budget gets our answer, not its own timeout
  const timeoutSeconds = Math.max(1, seconds(2 * readiness.budgetMs))
  // longer than the cache, so that each poll sees a new round
  const periodSeconds = Math.max(10, seconds(readiness.cacheTtlMs) + 1, timeoutSeconds)
  const grace =
    drain === undefined
      ? []
      : [
          '# of the pod:',
          `terminationGracePeriodSeconds: ${seconds(drain.plan.gracePeriodMs)}  # gracePeriodMs of the drain`,
        ]
  const preStopMs = drain?.plan.preStopMs ?? 0
  const preStop =
    preStopMs > 0
      ? [
          'lifecycle:',
          '  preStop:',
          `    sleep: { seconds: ${seconds(preStopMs)} }  # preStopMs of the drain`,
        ]
      : []
  return [
    `# of the container; its endpoints are mounted at ${JSON.stringify(prefix)}, else say prefix to startAdmin`,
    ...probe(
      'startupProbe',
      { path: prefix + paths.startup, periodSeconds: 2, timeoutSeconds: 1, failureThreshold: 30 },
      { failureThreshold: 'one minute for setup' },
    ),
    ...probe(
      'livenessProbe',
      { path: prefix + paths.live, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 },
      {},
    ),
    ...probe(
      'readinessProbe',
      { path: prefix + paths.ready, periodSeconds, timeoutSeconds, failureThreshold: 3 },
      {
        periodSeconds: `longer than readiness.cacheTtlMs (${readiness.cacheTtlMs})`,
        timeoutSeconds: `at least twice readiness.budgetMs (${readiness.budgetMs})`,
      },
    ),
    ...preStop,
    ...grace,
    '',
  ].join('\n')
}
