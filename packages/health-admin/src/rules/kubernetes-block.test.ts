import { createHealth } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { expect, test } from 'vitest'
import { kubernetesBlock } from './kubernetes-block.ts'

const explained = (options: Parameters<typeof createHealth>[0]) =>
  createHealth({ env: {}, watchdog: false, ...options }).explain()

test('has the probes that fit the defaults', () => {
  const drain = createDrain({ env: {} })
  expect(
    kubernetesBlock(explained({ prefix: '/api' }), drain),
  ).toBe(`# of the container; its endpoints are mounted at "/api", else say prefix to startAdmin
startupProbe:
  httpGet: { path: /api/health/startup, port: http }
  periodSeconds: 2
  timeoutSeconds: 1
  failureThreshold: 30  # one minute for setup
livenessProbe:
  httpGet: { path: /api/health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 1
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /api/health/ready, port: http }
  periodSeconds: 10  # longer than readiness.cacheTtlMs (5000)
  timeoutSeconds: 1  # at least twice readiness.budgetMs (500)
  failureThreshold: 3
# of the pod:
terminationGracePeriodSeconds: 30  # gracePeriodMs of the drain
`)
})

test('follows a longer budget and cache, other paths, and what the platform spends before its signal', () => {
  const readiness = { budgetMs: 12_500, cacheTtlMs: 20_000 }
  const paths = { live: '/li:v,e' }
  const drain = createDrain({ env: {}, gracePeriodMs: 45_500, preStopMs: 2_000 })
  const text = kubernetesBlock(explained({ readiness, paths }), drain)
  expect(text).toContain('periodSeconds: 25  #')
  expect(text).toContain('timeoutSeconds: 25  #')
  expect(text).toContain('httpGet: { path: "/li:v,e", port: http }')
  expect(text).toContain('sleep: { seconds: 2 }')
  expect(text).toContain('terminationGracePeriodSeconds: 46')
})

test('asks less often than the cache lasts, whatever that is', () => {
  const period = (cacheTtlMs: number) =>
    /readinessProbe:[\s\S]*?periodSeconds: (\d+)/.exec(
      kubernetesBlock(explained({ readiness: { cacheTtlMs } }), undefined),
    )?.[1]
  expect([9_000, 9_001, 10_000, 10_500].map(period)).toEqual(['10', '11', '11', '12'])
})

test('counts what the platform spends before its signal, however little', () => {
  const drain = createDrain({ env: {}, preStopMs: 500 })
  expect(kubernetesBlock(explained({}), drain)).toContain('sleep: { seconds: 1 }')
  expect(kubernetesBlock(explained({}), createDrain({ env: {} }))).not.toContain('lifecycle')
})

test('says nothing of a grace period without a drain', () => {
  expect(kubernetesBlock(explained({}), undefined)).not.toMatch(/terminationGrace|lifecycle/)
})
