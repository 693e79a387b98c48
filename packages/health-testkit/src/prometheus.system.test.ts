// @module-tag promtool
// @module-tag prometheus
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromSource } from './from-source.ts'
import { isAlive } from './is-alive.ts'
import { type PrivatePrometheus, startPrometheus } from './prometheus.ts'
import { promtool } from './promtool.ts'
import { spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

let target: Server
let prometheus: PrivatePrometheus | undefined
let open = 4

beforeAll(async () => {
  target = createServer((_request, response) =>
    response.end(`# TYPE orders_open gauge\norders_open ${open}\n`),
  )
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  // it may have to be installed first
  promtool(['--version'])
}, 180_000)
afterAll(() => {
  target.close()
  target.closeAllConnections()
})
afterEach(async () => {
  await prometheus?.stop()
  prometheus = undefined
})

const config = (): string => `
global: { scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:
  - job_name: orders
    static_configs: [{ targets: ['127.0.0.1:${(target.address() as AddressInfo).port}'] }]
`

describe('startPrometheus', () => {
  it('scrapes what its configuration says, and answers on loopback what it saw, also after a crash', async () => {
    prometheus = await startPrometheus({ config: config() })
    const { query, url, port, dir, pid } = prometheus
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const read = async (): Promise<number | undefined> => (await query('orders_open{job="orders"}'))[0]?.value
    await until(async () => (await read()) === 4, { timeoutMs: 15_000 })
    open = 5
    await until(async () => (await read()) === 5)
    expect((await query('up'))[0]).toMatchObject({ metric: { __name__: 'up', job: 'orders' }, value: 1 })
    await expect(query('up +')).rejects.toThrow(/parse error/)

    await prometheus.crash()
    await expect(query('up')).rejects.toThrow('fetch failed')
    await prometheus.restart()
    expect(prometheus.pid).not.toBe(pid)
    expect(isAlive(prometheus.pid)).toBe(true)
    expect(await query('last_over_time(orders_open[1m])')).toMatchObject([{ value: 5 }])
    await prometheus.stop()
    expect(existsSync(dir)).toBe(false)
  })

  it('rejects with its words when it does not start, and where the program is not', async () => {
    await expect(startPrometheus({ config: 'nonsense: 1' })).rejects.toThrow(
      /did not start: .*field nonsense not found/s,
    )
    vi.stubEnv('TEST_PROMETHEUS_BIN', '/no/such/file')
    await expect(startPrometheus({ config: '' })).rejects.toThrow('TEST_PROMETHEUS_BIN is /no/such/file')
    vi.unstubAllEnvs()
  })

  it('is gone with its folder after its runner was killed', async () => {
    const runner = await spawnApp({
      ...fromSource(`
        const server = await kit.startPrometheus({ config: '' })
        console.log('ran', server.pid, server.dir)
        setInterval(() => {}, 1000)`),
      readyPattern: /^ran (\d+) (.+)$/,
    })
    const [pid, dir] = [Number(runner.ready?.[1]), runner.ready?.[2] ?? '']
    expect([isAlive(pid), existsSync(dir)]).toEqual([true, true])
    runner.signal('SIGKILL')
    await until(() => !isAlive(pid) && !existsSync(dir), { message: `${pid} and ${dir} to go` })
  })
})

describe('promtool', () => {
  it('says what it thinks, with its exit code', () => {
    expect(promtool(['check', 'metrics'], '# HELP a_total A\n# TYPE a_total counter\na_total 1\n')).toEqual({
      code: 0,
      output: '',
    })
    const { code, output } = promtool(['check', 'metrics'], '# TYPE a counter\na 1\n')
    expect(code).not.toBe(0)
    expect(output).toContain('counter metrics should have "_total" suffix')
  })

  it('throws where the program is not', () => {
    vi.stubEnv('TEST_PROMTOOL_BIN', '/no/such/file')
    expect(() => promtool([])).toThrow('TEST_PROMTOOL_BIN is /no/such/file')
    vi.unstubAllEnvs()
  })
})
