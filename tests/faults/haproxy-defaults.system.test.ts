// @module-tag haproxy
import { test } from 'vitest'
import { expectNothingLost, roll, TIMEOUT_MS } from './roll-haproxy.ts'

test(
  'a rolling restart behind HAProxy with its own check intervals, and a delay that outlasts them: no request fails',
  async () => expectNothingLost(await roll('fastify', { delayMs: 8_000, times: 1, retries: 0 }), 1),
  TIMEOUT_MS,
)
