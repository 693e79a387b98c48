import { afterEach, describe, it } from 'vitest'
import { fuzzByClients, fuzzByRunners } from '../testing/gateway-fuzz.ts'
import { tidy } from '../testing/gateway-under-test.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const RUNS = { numRuns: 1_000 }

describe('whatever is sent in 1 000 messages', { timeout: 300_000 }, () => {
  it('fuzzed requests of clients: the gateway continues, and no runner counts as unhealthy', () =>
    fuzzByClients(tidied, RUNS))

  it('by runners: every request has one end, and the gateway goes on', () => fuzzByRunners(tidied, RUNS))
})
