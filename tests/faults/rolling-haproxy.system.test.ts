// @module-tag haproxy
import { describe, expect, test } from 'vitest'
import { expectNothingLost, QUICK, roll, TIMEOUT_MS } from './roll-haproxy.ts'
import { FRAMEWORKS, failed } from './rolling.ts'

describe('a rolling restart of two instances behind HAProxy, under load', () => {
  test.each(FRAMEWORKS)(
    '%s: three times each, no request fails and HAProxy has nothing to repair',
    async (framework) => expectNothingLost(await roll(framework, { ...QUICK, times: 3 }), 3),
    TIMEOUT_MS,
  )
})

describe('these tests can fail', () => {
  test(
    'without a delay clients get 503, and HAProxy counts them too',
    async () => {
      const { outcome, haproxy } = await roll('koa', { ...QUICK, delayMs: 0, times: 1 })
      expect(outcome.failures['status 503']?.count).toBeGreaterThan(0)
      expect((await haproxy.stats()).faults.answers5xx).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )

  test(
    'of a killed instance clients lose answers, and HAProxy counts the connections that it could not make',
    async () => {
      const { outcome, exits, haproxy } = await roll('koa', { ...QUICK, times: 1, signal: 'SIGKILL' })
      expect(exits.map(({ signal }) => signal)).toEqual(['SIGKILL', 'SIGKILL'])
      expect(failed(outcome)).toBeGreaterThan(0)
      // of an answer that never came on a connection that was kept it says nothing: it hangs up, and the client tells
      expect((await haproxy.stats()).faults.connectionErrors).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})
