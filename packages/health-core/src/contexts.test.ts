import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { until } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'
import { createHealth } from './create-health.ts'
import type { Health } from './health.ts'

const requests = new AsyncLocalStorage<string>()
let health: Health | undefined
afterEach(() => health?.close())

/** A health on the real clock whose check notes in whose context it runs: longer than readiness waits, so that it is kept warm. */
function start(): readonly (string | undefined)[] {
  const contexts: (string | undefined)[] = []
  health = createHealth({
    env: {},
    watchdog: false,
    readiness: { budgetMs: 50, cacheTtlMs: 200 },
    verdict: { refreshIntervalMs: 1_000, l1TtlMs: 100, l2TtlMs: 1_500 },
    databases: {
      default: {
        name: 'slow',
        run: async () => {
          contexts.push(requests.getStore())
          await new Promise((resolve) => setTimeout(resolve, 60))
          contexts.push(requests.getStore())
        },
      },
    },
  })
  return contexts
}

test.each(['/health/ready', '/health', '/health/pool'])(
  'no run that %s begins, nor any after it, is in the context of the request',
  async (target) => {
    const contexts = start()
    for (const name of ['request-1', 'request-2'])
      await requests.run(name, async () => {
        await health?.answer({ method: 'GET', target })
        expect(requests.getStore()).toBe(name)
      })
    await until(() => contexts.length >= (target === '/health/pool' ? 2 : 6))
    expect(new Set(contexts)).toEqual(new Set([undefined]))
  },
)

test.each(['readiness', 'verdict', 'pool', 'watch'] as const)(
  'no run that %s() begins is in the context of its caller, who gets the answer in it',
  async (question) => {
    const contexts = start()
    await requests.run('caller', async () => {
      await health?.[question]()
      expect(requests.getStore()).toBe('caller')
    })
    await health?.verdict()
    expect(contexts).not.toContain('caller')
    expect(contexts).toContain(undefined)
  },
)

test('runs are in the context in which the health was made', async () => {
  const contexts = requests.run('start of the app', start)
  await requests.run('request', () => health?.readiness())
  await until(() => contexts.length >= 2)
  expect(new Set(contexts)).toEqual(new Set(['start of the app']))
})

test('no timer that an answer begins holds the context of its request', async () => {
  start()
  const contexts: (string | undefined)[] = []
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'Timeout') contexts.push(requests.getStore())
    },
  }).enable()
  try {
    await requests.run('request', () => health?.answer({ method: 'GET', target: '/health/ready' }))
  } finally {
    hook.disable()
  }
  expect(contexts).toContain(undefined)
  expect(contexts).not.toContain('request')
})
