// @module-tag haproxy
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromSource } from './from-source.ts'
import { haproxyConfig, type PrivateHaproxy, startHaproxy } from './haproxy.ts'
import { isAlive } from './is-alive.ts'
import { rawRequest } from './raw-request.ts'
import { spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

let server: Server
let haproxy: PrivateHaproxy
let isReady = true
const asked: string[] = []

const portOf = (): number => (server.address() as AddressInfo).port
const QUICK = { checkPath: '/ready', interMs: 50, fall: 1, rise: 1, retries: 0 } as const

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/ready') asked.push(`${request.method}`)
    if (request.url === '/break') return request.socket.destroy()
    response.statusCode = request.url === '/ready' && !isReady ? 503 : 200
    return response.end('hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  haproxy = await startHaproxy({ servers: [{ name: 'one', port: portOf() }], ...QUICK })
}, 180_000)
afterAll(async () => {
  await haproxy?.stop()
  server?.closeAllConnections()
  server?.close()
})

describe('haproxyConfig', () => {
  it('leaves out nothing that was asked for, and says HAProxy’s own numbers where nothing was', () => {
    const where = { servers: [{ name: 'a', port: 1 }], checkPath: '/r', port: 2, statsPort: 3 }
    expect(haproxyConfig(where)).toMatch(
      /retries 3.*127\.0\.0\.1:2.*safe.*OPTIONS \/r.*inter 2000ms fall 3 rise 2.*server a 127\.0\.0\.1:1/s,
    )
    expect(haproxyConfig(where)).not.toContain('timeout check')
    expect(haproxyConfig({ ...where, checkTimeoutMs: 6 })).toContain('timeout check 6ms')
    expect(haproxyConfig({ ...where, retries: 0, reuse: 'always', interMs: 7, fall: 8, rise: 9 })).toMatch(
      /retries 0.*always.*inter 7ms fall 8 rise 9/s,
    )
  })
})

describe('startHaproxy', () => {
  it('passes requests on, and says which server is up', async () => {
    await haproxy.untilUp()
    expect(await rawRequest({ port: haproxy.port })).toMatchObject({ status: 200, body: 'hello' })
    expect(haproxy.version).toMatch(/^\d+\.\d+/)
    await until(() => asked.length > 0)
    expect(new Set(asked)).toEqual(new Set(['OPTIONS']))
    const before = (await haproxy.stats()).servers.one
    isReady = false
    await until(async () => (await haproxy.stats()).servers.one?.status === 'DOWN')
    await expect(haproxy.untilUp('one', { timeoutMs: 50 })).rejects.toThrow('HAProxy to see one up')
    isReady = true
    await haproxy.untilUp('one')
    expect((await haproxy.stats()).servers.one?.downs).toBe((before?.downs ?? 0) + 1)
  })

  it('counts and logs what went wrong, and that alone', async () => {
    const before = (await haproxy.stats()).faults
    await rawRequest({ port: haproxy.port, path: '/fine' })
    expect((await rawRequest({ port: haproxy.port, path: '/break' })).status).toBe(502)
    await until(async () => (await haproxy.stats()).faults.responseErrors === before.responseErrors + 1)
    expect((await haproxy.stats()).faults.answers5xx).toBe(before.answers5xx + 1)
    await until(() => haproxy.lines.some((line) => line.includes('/break')))
    expect(haproxy.lines.join('\n')).not.toContain('/fine')
  })

  it('rejects with its words when it does not start', async () => {
    await expect(startHaproxy({ servers: [{ name: 'a b', port: 1 }], checkPath: '/' })).rejects.toThrow(
      /^HAProxy ended with 1:\n.*haproxy\.cfg/s,
    )
    vi.stubEnv('TEST_HAPROXY_BIN', '/no/such/file')
    await expect(startHaproxy({ servers: [], checkPath: '/' })).rejects.toThrow('/no/such/file')
    vi.unstubAllEnvs()
  })

  it('ends with a runner that was killed', async () => {
    const runner = await spawnApp({
      ...fromSource(`
        const haproxy = await kit.startHaproxy({ servers: [{ name: 'a', port: ${portOf()} }], checkPath: '/ready' })
        console.log('port', haproxy.port, haproxy.pid)`),
      readyPattern: /^port (\d+) (\d+)$/,
    })
    const pid = Number(runner.ready?.[2])
    expect(isAlive(pid)).toBe(true)
    runner.signal('SIGKILL')
    await until(() => !isAlive(pid), { message: `process ${pid} to end` })
  })
})
