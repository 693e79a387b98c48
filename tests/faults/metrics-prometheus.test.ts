import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain } from '@baldur/health-drain'
import { promtool, rawRequest, startPostgres, startPrometheus, until } from 'health-testkit'
import { afterAll, expect, test } from 'vitest'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const VIEWER = 'a key that a viewer has'

const job = (name: string, port: number, key: string): string => `
  - job_name: ${name}
    authorization: { credentials: '${key}' }
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]`

test('a real Prometheus sees the verdict go when PostgreSQL does, and its tool finds nothing to say', async () => {
  const postgres = await startPostgres()
  closers.push(() => postgres.stop())
  const quiet = () => undefined
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const health = createHealth({
    env: {},
    logger,
    namespace: 'orders',
    databases: { default: postgresCheck(postgres.url, { heal: { run: quiet } }) },
    readiness: { cacheTtlMs: 200 },
  })
  closers.push(() => health.close())
  const drain = createDrain({ health, env: {} })
  closers.push(() => drain.close())
  const keys = { operatorKey: 'a key that an operator has', viewerKey: VIEWER }
  const admin = await startAdmin({ health, drain, ...keys, port: 0, duringDrain: 'serve', logger, env: {} })
  closers.push(() => admin.close())
  const port = Number(new URL(admin.url ?? '').port)
  const prometheus = await startPrometheus({
    config: `
global: { scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:${job('orders', port, VIEWER)}${job('stranger', port, `${VIEWER}!`)}
`,
  })
  closers.push(() => prometheus.stop())
  const read = async (expression: string): Promise<number | undefined> =>
    (await prometheus.query(expression))[0]?.value
  const status = (word: string) => read(`baldur_verdict_status{job="orders",status="${word}"}`)
  const headers = { authorization: `Bearer ${VIEWER}` }
  const lint = async () => {
    const { status, body } = await rawRequest({ port, path: '/metrics', headers })
    expect(status).toBe(200)
    expect(body).toContain('# TYPE baldur_verdict_status gauge')
    return promtool(['check', 'metrics'], body)
  }

  await until(async () => (await status('healthy')) === 1, { timeoutMs: 15_000 })
  await until(async () => (await status('unhealthy')) === 0)
  await until(async () => (await read('up{job="stranger"}')) === 0)
  await until(async () => (await read('up{job="orders"}')) === 1)
  await until(async () => (await read('count(baldur_watchdog_component_status == 1)')) !== undefined)
  expect(await lint()).toEqual({ code: 0, output: '' })

  await postgres.crash()
  await until(async () => (await status('unhealthy')) === 1)
  await until(async () => (await status('healthy')) === 0)
  await until(async () => (await read('baldur_readiness_status{status="not_ready"}')) === 1)
  const moves = 'sum(baldur_verdict_transitions_total{from="healthy",to="unhealthy"})'
  await until(async () => (await read(moves)) === 1)
  const erred = 'baldur_check_runs_total{check="database_default",outcome="erred"}'
  await until(async () => Number(await read(erred)) > 0)
  expect(await lint()).toEqual({ code: 0, output: '' })

  health.beginDrain()
  await until(async () => (await status('draining')) === 1)
  await until(async () => (await status('unhealthy')) === 0)
  expect(await lint()).toEqual({ code: 0, output: '' })
})
