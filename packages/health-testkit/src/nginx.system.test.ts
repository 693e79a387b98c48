// @module-tag nginx
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { fromSource } from './from-source.ts'
import { isAlive } from './is-alive.ts'
import { nginxConfig, type PrivateNginx, readAccesses, startNginx } from './nginx.ts'
import { rawRequest } from './raw-request.ts'
import { spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

let server: Server
let nginx: PrivateNginx

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/break') return request.socket.destroy()
    return response.end('hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  nginx = await startNginx({ servers: [await freePort(), port], maxFails: 0 })
}, 180_000)
afterAll(async () => {
  await nginx?.stop()
  server?.closeAllConnections()
  server?.close()
})

describe('nginxConfig', () => {
  it('leaves out nothing that was asked for, and says nginx’s own number of failures where nothing was', () => {
    const where = { servers: [1], port: 2, folder: '/f', user: undefined }
    expect(nginxConfig(where)).toMatch(
      /worker_processes 1;.*server 127\.0\.0\.1:1 max_fails=1;.*keepalive 64;.*listen 127\.0\.0\.1:2;/s,
    )
    expect(nginxConfig(where)).not.toContain('user')
    expect(nginxConfig({ ...where, maxFails: 0, keepalive: 7, workers: 8, user: 'root' })).toMatch(
      /worker_processes 8;.*user root;.*max_fails=0;.*keepalive 7;/s,
    )
  })
})

describe('readAccesses', () => {
  it('reads what each server that was tried answered', () => {
    expect(readAccesses('GET / 200 200\nPOST /a?b=1 201 502, 201\n')).toEqual([
      { method: 'GET', target: '/', status: 200, upstream: [200] },
      { method: 'POST', target: '/a?b=1', status: 201, upstream: [502, 201] },
    ])
  })
})

describe('startNginx', () => {
  it('passes requests on, and on again where a server refuses', async () => {
    expect(nginx.version).toMatch(/^\d+\.\d+/)
    for (const path of ['/1', '/2']) {
      expect(await rawRequest({ port: nginx.port, path })).toMatchObject({ status: 200, body: 'hello' })
    }
    const seen = await until(async () => {
      const accesses = await nginx.accesses()
      return accesses.length === 2 && accesses
    })
    expect(seen.map(({ upstream }) => upstream.at(-1))).toEqual([200, 200])
    expect(seen.some(({ upstream }) => upstream[0] === 502)).toBe(true)
    expect(nginx.errors().join('\n')).toContain('Connection refused')
  })

  it('logs a connection that was cut, and says no more than that', async () => {
    await rawRequest({ port: nginx.port, method: 'POST', path: '/break', body: 'x' })
    await until(() => nginx.errors().some((line) => line.includes('prematurely closed')))
    expect(nginx.errors().join('\n')).not.toContain('[notice]')
  })

  it('rejects with its words when it does not start', async () => {
    await expect(startNginx({ servers: [] })).rejects.toThrow(/no servers are inside upstream/)
    vi.stubEnv('TEST_NGINX_BIN', '/no/such/file')
    await expect(startNginx({ servers: [1] })).rejects.toThrow('/no/such/file')
    vi.unstubAllEnvs()
  })

  it('ends with its workers when the runner was killed', async () => {
    const runner = await spawnApp({
      ...fromSource(`
        const nginx = await kit.startNginx({ servers: [1] })
        console.log('ran', nginx.pid, nginx.port)`),
      readyPattern: /^ran (\d+) (\d+)$/,
    })
    const [pid, port] = [Number(runner.ready?.[1]), Number(runner.ready?.[2])]
    expect(isAlive(pid)).toBe(true)
    expect((await rawRequest({ port })).status).toBe(502)
    runner.signal('SIGKILL')
    await until(() => !isAlive(pid), { message: `process ${pid} to end` })
    // a worker that lived on would still listen
    await until(() =>
      rawRequest({ port }).then(
        () => false,
        () => true,
      ),
    )
  })
})
