import { fileURLToPath } from 'node:url'
import { type PrivatePostgres, spawnApp, startPostgres } from 'health-testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let postgres: PrivatePostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const ask = async (...args: string[]): Promise<readonly unknown[]> => {
  const program = fileURLToPath(new URL('start-gate.mjs', import.meta.url))
  const app = await spawnApp({ args: [program, postgres.url, ...args] })
  const { code } = await app.exited
  return [...app.stdout, code]
}

describe.each([
  [
    'usable',
    false,
    { readiness: 'ready', verdict: 'healthy', pool: 'healthy', watch: 'healthy', answer: 'ready' },
  ],
  [
    'stalled',
    true,
    {
      readiness: 'not_ready',
      verdict: 'unhealthy',
      pool: 'degraded',
      watch: 'unhealthy',
      answer: 'not_ready',
    },
  ],
] as const)('a process that does nothing but ask, of a database that is %s,', (_what, isStalled, answers) => {
  beforeAll(() => (isStalled ? postgres.pause() : undefined))
  afterAll(() => (isStalled ? postgres.resume() : undefined))

  test.each(Object.entries(answers))(
    'gets the answer of %s, %s, and ends by itself with code 0',
    async (question, status) => {
      expect(await ask(question)).toEqual([status, 'done', 0])
    },
  )

  test('ends with code 0 after close(), too', async () => {
    expect(await ask('readiness', 'close')).toEqual([answers.readiness, 'done', 0])
  })
})
