// @module-tag prometheus
// @module-tag promtool
import { readFileSync } from 'node:fs'
import { startAdmin } from '@baldur/health-admin'
import { instrumentHealth } from '@baldur/health-admin/open-telemetry'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain } from '@baldur/health-drain'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { freePort, promtool, rawRequest, startPostgres, startPrometheus, until } from 'health-testkit'
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

const GUIDE = readFileSync(new URL('../../docs/guides/metrics.md', import.meta.url), 'utf8')

/** The guide's configuration for OpenTelemetry's exporter, at this port. */
function exported(port: number): string {
  const [, text = ''] =
    /<!-- open-telemetry\.yml -->\n```yaml\nscrape_configs:\n([\s\S]*?)```/.exec(GUIDE) ?? []
  expect(text).toContain("targets: ['10.0.0.7:9464']")
  return text.replace('10.0.0.7:9464', `127.0.0.1:${port}`).replace('job_name: orders', 'job_name: exported')
}

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
  const exporterPort = await freePort()
  const exporter = new PrometheusExporter({
    host: '127.0.0.1',
    port: exporterPort,
    preventServerStart: true,
  })
  await exporter.startServer()
  const meterProvider = new MeterProvider({ readers: [exporter] })
  closers.push(() => meterProvider.shutdown())
  closers.push(instrumentHealth({ health, drain, logger, meterProvider }))
  const prometheus = await startPrometheus({
    config: `
global: { scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:${job('orders', port, VIEWER)}${job('stranger', port, `${VIEWER}!`)}
${exported(exporterPort)}
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
  await until(
    async () => (await read('count(baldur_watchdog_component_status{job="orders"} == 1)')) !== undefined,
  )
  expect(await lint()).toEqual({ code: 0, output: '' })

  await postgres.crash()
  await until(async () => (await status('unhealthy')) === 1)
  await until(async () => (await status('healthy')) === 0)
  await until(async () => (await read('baldur_readiness_status{job="orders",status="not_ready"}')) === 1)
  const moves = 'sum(baldur_verdict_transitions_total{job="orders",from="healthy",to="unhealthy"})'
  await until(async () => (await read(moves)) === 1)
  const erred = 'baldur_check_runs_total{job="orders",check="database_default",outcome="erred"}'
  await until(async () => Number(await read(erred)) > 0)
  expect(await lint()).toEqual({ code: 0, output: '' })

  const names = async (from: string) => {
    const found = await prometheus.query(`group by (__name__) ({job="${from}",__name__=~"baldur_.*"})`)
    return found.map(({ metric }) => metric.__name__).sort()
  }
  await until(async () => (await read('baldur_verdict_status{job="exported",status="unhealthy"}')) === 1)
  expect(await names('exported')).toEqual(await names('orders'))
  expect(await names('orders')).toContain('baldur_verdict_last_transition_timestamp_seconds')
  const scope = 'otel_scope_name="@baldur/health-admin"'
  expect(await read(`count({job="exported",__name__=~"baldur_.*"} unless {${scope}})`)).toBeUndefined()
  const runs = (from: string) => read(`baldur_check_duration_seconds_bucket{job="${from}",le="+Inf"}`)
  expect(await runs('exported')).toBeGreaterThan(1)
  const text = await (await fetch(`http://127.0.0.1:${exporterPort}/metrics`)).text()
  const told = [...text.matchAll(/^# TYPE (baldur_\S+)/gm)].map(([, name]) => name)
  const ours = (await names('orders')).filter((name) => /_seconds$/.test(name ?? ''))
  // why the guide has that configuration: it leaves the unit out
  expect([told.length > 15, told.filter((name) => name?.includes('_seconds'))]).toEqual([true, []])
  expect(ours).toHaveLength(3)

  health.beginDrain()
  await until(async () => (await status('draining')) === 1)
  await until(async () => (await status('unhealthy')) === 0)
  expect(await lint()).toEqual({ code: 0, output: '' })
})
