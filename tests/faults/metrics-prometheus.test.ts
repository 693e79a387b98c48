import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMetrics } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain } from '@baldur/health-drain'
import { promtool, startPostgres, startPrometheus, until } from 'health-testkit'
import { afterAll, expect, test } from 'vitest'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const KEY = 'a key that a viewer has'

/** Serves metrics to whoever shows the key. */
async function serve(metrics: ReturnType<typeof createMetrics>) {
  const server = createServer(async ({ headers, url }, response) => {
    if (url !== '/metrics' || headers.authorization !== `Bearer ${KEY}`) {
      return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    }
    return response.setHeader('content-type', metrics.contentType).end(await metrics.render())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const job = (name: string, port: number, key: string): string => `
  - job_name: ${name}
    authorization: { credentials: '${key}' }
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]`

test('a real Prometheus sees the verdict go when PostgreSQL does, and its tool finds nothing to say', async () => {
  const postgres = await startPostgres()
  closers.push(() => postgres.stop())
  const quiet = () => undefined
  const health = createHealth({
    env: {},
    namespace: 'orders',
    databases: { default: postgresCheck(postgres.url, { heal: { run: quiet } }) },
    readiness: { cacheTtlMs: 200 },
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
  closers.push(() => health.close())
  const drain = createDrain({ health, env: {} })
  closers.push(() => drain.close())
  const metrics = createMetrics({ health, drain })
  closers.push(() => metrics.close())
  const port = await serve(metrics)
  const prometheus = await startPrometheus({
    config: `
global: { scrape_interval: 250ms, scrape_timeout: 250ms }
scrape_configs:${job('orders', port, KEY)}${job('stranger', port, `${KEY}!`)}
`,
  })
  closers.push(() => prometheus.stop())
  const read = async (expression: string): Promise<number | undefined> =>
    (await prometheus.query(expression))[0]?.value
  const status = (word: string) => read(`baldur_verdict_status{job="orders",status="${word}"}`)
  const lint = async () => promtool(['check', 'metrics'], await metrics.render())

  await until(async () => (await status('healthy')) === 1, { timeoutMs: 15_000 })
  expect(await status('unhealthy')).toBe(0)
  await until(async () => (await read('up{job="stranger"}')) === 0)
  expect(await read('up{job="orders"}')).toBe(1)
  await until(async () => (await read('count(baldur_watchdog_component_status == 1)')) !== undefined)
  expect(await lint()).toEqual({ code: 0, output: '' })

  await postgres.crash()
  await until(async () => (await status('unhealthy')) === 1)
  expect(await status('healthy')).toBe(0)
  await until(async () => (await read('baldur_readiness_status{status="not_ready"}')) === 1)
  const moves = 'sum(baldur_verdict_transitions_total{from="healthy",to="unhealthy"})'
  await until(async () => (await read(moves)) === 1)
  expect(await read('baldur_check_runs_total{check="database_default",outcome="erred"} > 0')).toBeDefined()
  expect(await lint()).toEqual({ code: 0, output: '' })

  health.beginDrain()
  await until(async () => (await status('draining')) === 1)
  expect(await status('unhealthy')).toBe(0)
  expect(await lint()).toEqual({ code: 0, output: '' })
})
