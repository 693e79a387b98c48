import { type Profiler, Session } from 'node:inspector'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHealth, type Health } from '@baldur/health-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../packages/health-core/src/machinery/manual-clock.ts'

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url))
const session = new Session()
let health: Health

beforeAll(() => {
  session.connect()
  session.post('Profiler.enable')
  health = createHealth({
    env: {},
    // no time passes: what is cached stays cached
    clock: manualClock(),
    databases: { default: { name: 'x', run: () => true } },
    readiness: { cacheTtlMs: 60_000 },
    verdict: { l2TtlMs: 300_000 },
    watchdog: false,
  })
})
afterAll(async () => {
  session.disconnect()
  await health.close()
})

function countedSinceLast(): readonly Profiler.ScriptCoverage[] {
  let counted: readonly Profiler.ScriptCoverage[] = []
  // in the same thread the callback comes before `post` returns
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error
    counted = taken.result
  })
  return counted
}

/** The source files in which a function ran meanwhile. Nothing else can run between: all of it is synchronous. */
function filesOf(walk: () => unknown): readonly string[] {
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  countedSinceLast()
  walk()
  const counted = countedSinceLast()
  session.post('Profiler.stopPreciseCoverage')
  return counted
    .filter(({ url }) => url.startsWith(`file://${PACKAGES}`) && url.includes('/src/'))
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => relative(PACKAGES, fileURLToPath(url)))
    .sort()
}

const get = (path: string) => () => health.answer({ method: 'GET', target: path })

/** The walk of one request through the code. Shorter is better: a longer one is a line in a review. */
test.each([
  ['a request that is no probe', '/orders/5', 3],
  ['a cached readiness probe', '/health/ready', 13],
  ['a cached health probe', '/health', 19],
])('%s passes through no more files than it did', async (_what, path, most) => {
  await get(path)()
  expect(get(path)()).not.toBeInstanceOf(Promise)
  const files = filesOf(get(path))
  expect(files.length, files.join('\n')).toBeGreaterThan(0)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most)
})
