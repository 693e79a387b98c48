import { copyFile, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type PrivatePostgres,
  type PrivateServer,
  rawRequest,
  spawnApp,
  startMariadb,
  startPostgres,
  startRedis,
  until,
} from 'health-testkit'
import { describeAdapter } from 'health-testkit/describe-adapter'
import { listen, OF_THE_APP } from 'health-testkit/service'
import mountAt from 'koa-mount'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installInto, type PackedProject, packAll, TSC } from './packed-project.ts'

let tarballs: string
let esm: PackedProject
let cjs: PackedProject
let alone: PackedProject
let postgres: PrivatePostgres
let mariadb: PrivateServer
let redis: PrivateServer

beforeAll(async () => {
  postgres = await startPostgres()
  mariadb = await startMariadb()
  redis = await startRedis()
  tarballs = await packAll()
  const packed = ['admin', 'core', 'drain', 'express', 'fastify', 'koa', 'runner'].map(
    (name) => `health-${name}`,
  )
  const types = ['node@20', 'pg@8', 'express@5', 'koa@3'].map((name) => `@types/${name}`)
  // the oldest frameworks and drivers of the ranges, and the newest
  const oldest = ['fastify@5.0.0', 'express@4.17.0', 'koa@2.13.0', 'pg@8', 'mysql2@3.0.0']
  const newest = ['fastify@5', 'express@5', 'koa@3', 'pg@8', 'mysql2@3']
  // prom-client comes with the admin server; the oldest API of OpenTelemetry, and the newest SDK that takes it
  const telemetry = ['@opentelemetry/api@1.7.0', '@opentelemetry/sdk-metrics@1.30.1']
  const caches = { oldest: ['ioredis@5', 'redis@4.2.0'], newest: ['ioredis@6', 'redis@6'] }
  esm = await installInto(tarballs, {
    type: 'module',
    packed,
    others: [...oldest, ...caches.oldest, ...telemetry, ...types],
  })
  cjs = await installInto(tarballs, {
    type: 'commonjs',
    packed,
    others: [...newest, ...caches.newest, ...types],
  })
  alone = await installInto(tarballs, { type: 'module', packed: ['health-core'], others: [] })
}, 180_000)
afterAll(async () => {
  await Promise.all([esm, cjs, alone].map((project) => project?.remove()))
  if (tarballs !== undefined) await rm(tarballs, { recursive: true, force: true })
  await Promise.all([postgres, mariadb, redis].map((server) => server?.stop()))
})

/** The same program for both module systems: a service of each framework on the DSN that is its argument, asked once. */
const program = (load: (name: string, from: string) => string): string => `
${load('Fastify', 'fastify')}
${load('express', 'express')}
${load('Koa', 'koa')}
${load('pg', 'pg')}
${load('mysql', 'mysql2')}
${load('{ createClient }', 'redis')}
${load('{ createServer }', 'node:http')}
${load('{ createHealth, HealthConfigError }', '@baldur/health-core')}
${load('{ attachHealth, healthListener, writeAnswer }', '@baldur/health-core/node')}
${load('{ mysqlCheck }', '@baldur/health-core/mysql')}
${load('{ postgresCheck }', '@baldur/health-core/postgres')}
${load('{ diskCheck }', '@baldur/health-core/disk')}
${load('{ eventLoopCheck }', '@baldur/health-core/event-loop')}
${load('{ recyclePool, reconnectRedis }', '@baldur/health-core/heal')}
${load('{ httpCheck }', '@baldur/health-core/http')}
${load('{ memoryCheck }', '@baldur/health-core/memory')}
${load('{ tcpCheck }', '@baldur/health-core/tcp')}
${load('{ redisCheck }', '@baldur/health-core/redis')}
${load('{ createMetrics }', '@baldur/health-admin')}
${load('{ instrumentHealth }', '@baldur/health-admin/open-telemetry')}
${load('{ createDrain, drainOnSignals }', '@baldur/health-drain')}
${load('{ serveRunner, startRunners }', '@baldur/health-runner')}
${load('{ baldurHealth as forExpress, drainMiddleware }', '@baldur/health-express')}
${load('{ baldurHealth as forFastify }', '@baldur/health-fastify')}
${load('{ baldurHealth as forKoa }', '@baldur/health-koa')}
const open = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const ask = async (server, path) => {
  const url = 'http://127.0.0.1:' + server.address().port + path
  const ready = await fetch(url)
  console.log(ready.status, await ready.text())
  const post = await fetch(url, { method: 'POST', body: 'x', headers: { 'content-type': 'a/b' } })
  console.log(post.status)
}
async function main() {
  if (![HealthConfigError, healthListener, writeAnswer, drainOnSignals, drainMiddleware, recyclePool, reconnectRedis, createMetrics, instrumentHealth, startRunners].every((it) => typeof it === 'function')) throw new Error('an export is missing')
  const pool = new pg.Pool({ connectionString: process.argv[2] })
  const around = createServer((_request, response) => response.end())
  await open(around)
  const { port } = around.address()
  const built = [diskCheck('.', { minFreePercent: 0 }), eventLoopCheck(), httpCheck('http://localhost:' + port), memoryCheck(), tcpCheck('localhost', port)]
  const others = createHealth({ env: {}, checks: built })
  const { status, checks } = await others.verdict()
  if (status !== 'healthy' || Object.keys(checks).length !== 5) throw new Error(JSON.stringify(checks))
  await others.close()
  await new Promise((resolve) => around.close(resolve))
  const client = createClient({ url: process.argv[4] })
  client.on('error', console.error)
  await client.connect()
  const databases = { default: postgresCheck(pool), second: postgresCheck(process.argv[2]), mysql: mysqlCheck(mysql.createPool(process.argv[3])), redis: redisCheck(client) }
  const health = createHealth({ databases })
  const fastify = Fastify()
  await fastify.register(forFastify, { health, drain: true })
  await fastify.ready()
  if (fastify.drain.phase !== 'starting') throw new Error('no drain was decorated')
  createDrain({ server: fastify.server, health }).close()
  const servers = [
    fastify.server,
    createServer(express().use(forExpress({ health }))),
    createServer(new Koa().use(forKoa({ health })).callback()),
    createServer(new Koa().use(forKoa({ health }).router.routes()).callback()),
    createServer(healthListener(health)),
    createServer(),
  ]
  attachHealth(servers.at(-1), health)
  for (const server of servers) {
    await open(server)
    await ask(server, '/health/ready')
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  const runner = await serveRunner({ listener: (_request, response) => response.end('runner'), port: 0, exit: false })
  if ((await (await fetch(runner.url)).text()) !== 'runner') throw new Error('no runner answers')
  await runner.close()
  await client.disconnect()
  console.log('closed at', performance.timeOrigin + performance.now())
}
main()
`
const WITH_IMPORT = program((names, from) => `import ${names} from '${from}'`)
const WITH_REQUIRE = program((names, from) => `const ${names.replace(' as ', ': ')} = require('${from}')`)

describe('the packed tarballs', () => {
  test.each([
    ['import', () => esm, 'main.mjs', WITH_IMPORT],
    ['require', () => cjs, 'main.cjs', WITH_REQUIRE],
  ])(
    'work with %s, and nothing of ours keeps the process alive once its server is closed',
    async (_how, project, file, text) => {
      const path = await project().write(file, text)
      const app = await spawnApp({
        args: [path, ...[postgres, mariadb, redis].map(({ url }) => url)],
        cwd: project().dir,
      })
      const began = performance.timeOrigin + performance.now()
      const { code, ms } = await app.exited
      expect([code, app.stderr]).toEqual([0, []])
      const ready =
        '200 {"status":"ready","checks":{"database_default":"ready","database_second":"ready","database_mysql":"ready","database_redis":"ready"}}'
      expect(app.lines.slice(0, -1)).toEqual(Array.from({ length: 6 }, () => [ready, '405']).flat())
      const closedAt = Number(app.lines.at(-1)?.split(' ').at(-1))
      expect(began + ms - closedAt).toBeLessThan(300 + 200)
    },
  )

  test('bring the HEALTHCHECK program, executable by its name and by its path, alone in its file', async () => {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/liveness' ? 200 : 503).end(),
    )
    await listen(server)
    const port = String((server.address() as AddressInfo).port)
    const { dir } = esm
    const byName = { command: join(dir, 'node_modules', '.bin', 'baldur-healthcheck'), args: [] }
    const byPath = { args: [join(dir, 'node_modules', '@baldur', 'health-admin', 'dist', 'healthcheck.js')] }
    const alone = join(dir, 'alone.mjs')
    await copyFile(byPath.args[0] ?? '', alone)
    for (const { args, ...how } of [byName, byPath, { args: [alone] }]) {
      const good = await spawnApp({ ...how, args: [...args, '--port', port] })
      expect([await good.exited, good.stderr]).toMatchObject([{ code: 0 }, []])
      const ill = await spawnApp({ ...how, args: [...args, '--port', port, '--path', '/readiness'] })
      expect([await ill.exited, ill.stderr]).toMatchObject([
        { code: 1 },
        [expect.stringMatching(/127\.0\.0\.1 answered 503/)],
      ])
    }
    await new Promise((resolve) => server.close(resolve))
  })

  test('type-check from ESM and CommonJS, with the strictest options', async () => {
    const text = `
import Fastify from 'fastify'
import { createHealth, type Check, type Health, type ProbeResponse } from '@baldur/health-core'
import { attachHealth, healthListener } from '@baldur/health-core/node'
import { mysqlCheck } from '@baldur/health-core/mysql'
import { postgresCheck } from '@baldur/health-core/postgres'
import { diskCheck } from '@baldur/health-core/disk'
import { eventLoopCheck } from '@baldur/health-core/event-loop'
import { httpCheck } from '@baldur/health-core/http'
import { memoryCheck } from '@baldur/health-core/memory'
import { tcpCheck } from '@baldur/health-core/tcp'
import { redisCheck } from '@baldur/health-core/redis'
import { createMetrics, type Metrics } from '@baldur/health-admin'
import { instrumentHealth } from '@baldur/health-admin/open-telemetry'
import { createDrain, drainOnSignals, type Drain, type DrainResult } from '@baldur/health-drain'
import { baldurHealth as forExpress, drainMiddleware } from '@baldur/health-express'
import { baldurHealth } from '@baldur/health-fastify'
import { baldurHealth as forKoa, drainMiddleware as drainKoa } from '@baldur/health-koa'
import { serveRunner, startRunners, type Runners, type ServedRunner } from '@baldur/health-runner'
import { metrics } from '@opentelemetry/api'
import { Registry, type OpenMetricsContentType } from 'prom-client'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createHttp2Server } from 'node:http2'
import express from 'express'
import Koa from 'koa'
import pg from 'pg'
import mysql from 'mysql2'
import promises from 'mysql2/promise'
import { Redis, Cluster } from 'ioredis'
import { createClient } from 'redis'
import { createServer } from 'node:http'
export const more: readonly Check[] = [
  mysqlCheck(mysql.createPool({})), mysqlCheck(promises.createPool({}), { via: 'pool' }), mysqlCheck({ host: 'x' }), mysqlCheck('mysql://x'),
  redisCheck(new Redis()), redisCheck(new Cluster([])), redisCheck(createClient(), { requireWritable: true }),
]
// @ts-expect-error: not a client
redisCheck({ host: 'x' })
const mine: Check = { name: 'mine', run: async (signal) => !signal.aborted }
const health: Health = createHealth({ databases: { default: postgresCheck(new pg.Pool(), { fall: 3 }) }, checks: [mine] })
export const built: readonly Check[] = [
  diskCheck('/', { minFreeBytes: 5, critical: false }),
  eventLoopCheck({ maxDelayMs: 500 }),
  httpCheck(new URL('https://x'), { status: [200, 204], tls: { ca: 'pem' }, headers: { a: 'b' }, fall: 2 }),
  memoryCheck(),
  tcpCheck('::1', 25, { name: 'smtp' }),
]
// @ts-expect-error: a method that changes things
httpCheck('https://x', { method: 'DELETE' })
const app = Fastify()
void app.register(baldurHealth)
void app.register(baldurHealth, { health, prefix: '/x', logLevel: 'info' })
export const inside: Health = app.health
const middleware = forExpress()
express().use(middleware).use('/v1', express.Router().use(forExpress({ health, prefix: '/x', observe: true })))
new Koa().use(forKoa({ health })).use(forKoa({ health, observe: { fall: 3, holdMs: 10_000 } })).use(forKoa().router.routes())
export const shown: readonly Health[] = [middleware.health, forKoa().health]
const servers = [createServer(), createHttpsServer(), createHttp2Server()]
const drain: Drain = createDrain({ server: servers, health, preset: 'docker', onUpgraded: ({ socket }) => void socket?.end() })
drainOnSignals(drain, { fatal: true })()
express().use(drainMiddleware(drain))
new Koa().use(drainKoa(drain))
drain.onShutdown('pool', async ({ signal }) => signal.aborted, { after: 'queue', timeoutMs: 500 })
export const result: Promise<DrainResult> = drain.start()
export const job: Promise<number> = drain.track(Promise.resolve(5), 'job')
export const told: readonly Metrics[] = [
  createMetrics({ health, drain, registry: new Registry() }),
  createMetrics({ health, registry: new Registry<OpenMetricsContentType>(), version: undefined }),
]
export const stop: () => void = instrumentHealth({ health, drain, meterProvider: metrics.getMeterProvider() })
export const served = (): readonly Promise<ServedRunner>[] => [
  serveRunner({ app, prefix: undefined }),
  serveRunner({ app: Fastify({ logger: true }), health }),
  serveRunner({ app: express(), setup: ({ server }) => server.on('upgrade', () => undefined), teardown: async () => 5 }),
  serveRunner({ app: new Koa(), drain: { preset: 'docker' } }),
  serveRunner({ listener: (_request, response) => response.end(), port: 0, exit: false }),
]
export const runners = (): Promise<Runners> => startRunners({ command: ['node', 'x.js'], runners: undefined, healthCheck: { path: '/' } })
// @ts-expect-error: not an app
export const noApp = (): Promise<ServedRunner> => serveRunner({ app: 5 })
// @ts-expect-error: a health check needs its path
export const noPath = (): Promise<Runners> => startRunners({ command: 'x.js', healthCheck: {} })
// @ts-expect-error: not a registry
createMetrics({ health, registry: {} })
void app.register(baldurHealth, { drain: { shutdownDelayMs: 1_000 } })
export const inFlight: number = app.drain.stats().inFlight
// @ts-expect-error: not a preset
createDrain({ preset: 'k8s' })
attachHealth(createServer(healthListener(health, { observe: true })), health)
export const answer: ProbeResponse | Promise<ProbeResponse> | undefined = health.answer({ method: 'GET', target: '/' })
health.on('check', ({ name, durationMs }) => name.length + durationMs)()
// @ts-expect-error: an option that does not exist
createHealth({ budget: 5 })
// @ts-expect-error: not a direction
createHealth({ readiness: { timeoutFailDirection: 'maybe' } })
// @ts-expect-error: a check needs a run
createHealth({ checks: [{ name: 'x' }] })
// @ts-expect-error: an option that does not exist
forExpress({ helth: health })
// @ts-expect-error: an option that does not exist
forKoa({ helth: health })
`
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
      'false',
      '--esModuleInterop',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    await esm.write('types.mts', text)
    await cjs.write('types.cts', text)
    /** Not of ours: @types/koa does not fit the types that koa 3.1.2 and newer bring with content-disposition, and those of mysql2 3.0 not each other; what is indented goes on about the line before. */
    const isForeign = (line: string): boolean => /^(?:node_modules\/(?:@types\/koa|mysql2)\/|\s)/.test(line)
    for (const [project, file] of [
      [esm, 'types.mts'],
      [cjs, 'types.cts'],
    ] as const) {
      const told = await project.run(TSC, ...options, file).catch(({ message }: Error) => message)
      const [, ...errors] = told.split('\n')
      expect(errors.filter((line) => line !== '' && !isForeign(line))).toEqual([])
    }
  })

  test('type-check with the module resolution that knows no export maps', async () => {
    const text = `
import { createHealth } from '@baldur/health-core'
import { attachHealth } from '@baldur/health-core/node'
import { mysqlCheck } from '@baldur/health-core/mysql'
import { postgresCheck } from '@baldur/health-core/postgres'
import { diskCheck } from '@baldur/health-core/disk'
import { eventLoopCheck } from '@baldur/health-core/event-loop'
import { httpCheck } from '@baldur/health-core/http'
import { memoryCheck } from '@baldur/health-core/memory'
import { tcpCheck } from '@baldur/health-core/tcp'
import { redisCheck } from '@baldur/health-core/redis'
import { createDrain } from '@baldur/health-drain'
import { baldurHealth } from '@baldur/health-express'
import { createServer } from 'node:http'
const checks = [diskCheck('/'), eventLoopCheck(), httpCheck('http://x'), memoryCheck(), tcpCheck('x', 1)]
const health = createHealth({ databases: { default: postgresCheck('postgres://x'), other: mysqlCheck('mysql://x') }, checks })
// @ts-expect-error: types have been found here too
redisCheck(5)
attachHealth(createServer(), health)
createDrain({ health })
baldurHealth({ health })
// @ts-expect-error: types have been found, so that this is wrong
postgresCheck(5)
`
    await cjs.write('old.ts', text)
    const how = ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0']
    const options = [
      '--noEmit',
      '--strict',
      '--esModuleInterop',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--types',
      'node',
    ]
    await cjs.run(TSC, ...how, ...options, 'old.ts')
  })

  test('core alone works without a driver, and a DSN without its own is a settings error that shows no secret', async () => {
    const path = await alone.write(
      'main.mjs',
      `import { createHealth } from '@baldur/health-core'
       import '@baldur/health-core/mysql'
       import '@baldur/health-core/postgres'
       import '@baldur/health-core/redis'
       const health = createHealth({ env: {} })
       console.log((await health.answer({ method: 'GET', target: '/health/ready' })).status)
       for (const scheme of ['postgres', 'mysql'])
         try { createHealth({ env: { BALDUR_SQL_DSN: scheme + '://joe:hunter2@db/x' } }) } catch (error) { console.log(error.name, error.message) }`,
    )
    const output = await alone.run(process.execPath, path)
    expect(output).toMatch(
      /^200\nHealthConfigError a setting is wrong:\n {2}BALDUR_SQL_DSN: expected the package pg to be installed, got none\nHealthConfigError a setting is wrong:\n {2}BALDUR_SQL_DSN: expected the package mysql2 to be installed/,
    )
    expect(output).not.toContain('hunter2')
  })

  test.each(['drain.mjs', 'express.mjs', 'fastify.mjs', 'koa.mjs', 'node-http.mjs', 'runner.mjs'])(
    'run the example %s',
    async (file) => {
      const path = await esm.write(
        file,
        await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8'),
      )
      const env = { DATABASE_URL: postgres.url, PORT: '0' }
      const app = await spawnApp({ args: [path], cwd: esm.dir, env, readyPattern: /^http:\/\/.*:(\d+)$/ })
      const port = Number(app.ready?.[1])
      const ready = await rawRequest({ port, host: 'localhost', path: '/health/ready' })
      expect([ready.status, ready.body]).toEqual([
        200,
        '{"status":"ready","checks":{"database_default":"ready"}}',
      ])
      expect((await rawRequest({ port, host: 'localhost', path: '/' })).body).toBe('hello')
      await app.stop()
    },
  )

  test('run the example runners.mjs, and the command beside it', async () => {
    for (const file of ['runner.mjs', 'runners.mjs'])
      await esm.write(file, await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8'))
    const hello = async (app: { readonly ready: RegExpMatchArray | null }): Promise<string> =>
      // waits in line until a runner is ready
      (await rawRequest({ port: Number(app.ready?.[1]), path: '/', timeoutMs: 20_000 })).body
    const env = { DATABASE_URL: postgres.url, PORT: '0', BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '0' }
    const options = { cwd: esm.dir, env, timeoutMs: 20_000 }
    const app = await spawnApp({ ...options, args: ['runners.mjs'], readyPattern: /^http:\/\/.*:(\d+)$/ })
    expect(await hello(app)).toBe('hello')
    const at = { port: Number(app.ready?.[1]), timeoutMs: 20_000 }
    // what the README asks with curl
    const kept = await rawRequest({ ...at, path: '/queue/report', method: 'POST', body: '{"n":1}' })
    expect(kept.status).toBe(202)
    const { pathname } = new URL(JSON.parse(kept.body).response_url)
    const report = await until(async () => {
      const answer = await rawRequest({ ...at, path: pathname })
      return answer.status !== 202 && answer
    })
    expect([report.status, report.body]).toEqual([200, 'written'])
    app.signal('SIGTERM')
    expect(await app.exited).toMatchObject({ code: 0 })
    const told = app.stdout.filter((line) => !line.startsWith('http'))
    for (const state of [/: idle$/, /: terminating, stopped$/])
      expect(told).toContainEqual(expect.stringMatching(state))
    for (const line of told) expect(line).toMatch(/^runner [12]\.1: [a-z]+(?:, [a-z]+)?$/)

    const program = 'node_modules/.bin/baldur-runner'
    const command = await spawnApp({
      ...{ ...options, args: [program, 'start', 'runner.mjs', '--port', '0'] },
      readyPattern: /^listening on http:\/\/127\.0\.0\.1:(\d+)$/,
    })
    expect(await hello(command)).toBe('hello')
    command.signal('SIGTERM')
    expect(await command.exited).toMatchObject({ code: 0 })
  })

  test('run the example admin.mjs', async () => {
    const text = await readFile(new URL('../../examples/admin.mjs', import.meta.url), 'utf8')
    const path = await esm.write('admin.mjs', text)
    const env = { DATABASE_URL: postgres.url, PORT: '0', BALDUR_ADMIN_PORT: '0' }
    const app = await spawnApp({ args: [path], cwd: esm.dir, env, readyPattern: /^http:\/\/.*:(\d+)$/ })
    const ready = '{"status":"ready","checks":{"database_default":"ready"}}'
    const own = await rawRequest({ port: Number(app.ready?.[1]), host: 'localhost', path: '/health/ready' })
    expect(own.body).toBe(ready)
    const [, admin] = await app.waitForLine(/^admin on http:\/\/127\.0\.0\.1:(\d+)$/)
    const ask = (path: string) => rawRequest({ port: Number(admin), path })
    expect((await ask('/readiness')).body).toBe(ready)
    expect((await ask('/metrics')).body).toContain('baldur_readiness_status{status="ready"} 1')
    expect((await ask('/')).body).toMatch(/^<!doctype html>/)
    await app.stop({ graceMs: 100 })
  })

  test('run the example mysql-redis.mjs', async () => {
    const text = await readFile(new URL('../../examples/mysql-redis.mjs', import.meta.url), 'utf8')
    const path = await esm.write('mysql-redis.mjs', text)
    const env = { DATABASE_URL: mariadb.url, REDIS_URL: redis.url, PORT: '0' }
    const app = await spawnApp({ args: [path], cwd: esm.dir, env, readyPattern: /^http:\/\/.*:(\d+)$/ })
    const { body } = await rawRequest({ port: Number(app.ready?.[1]), host: 'localhost', path: '/health' })
    expect(JSON.parse(body)).toMatchObject({
      status: 'healthy',
      checks: { database: 'healthy', redis: 'healthy' },
    })
    await app.stop()
  })

  test('run the example attach.mjs', async () => {
    const text = await readFile(new URL('../../examples/attach.mjs', import.meta.url), 'utf8')
    const path = await esm.write('attach.mjs', text)
    const env = { DATABASE_URL: postgres.url, PORT: '0' }
    const app = await spawnApp({ args: [path], cwd: esm.dir, env, readyPattern: /^http:\/\/.*:(\d+)$/ })
    const port = Number(app.ready?.[1])
    expect((await rawRequest({ port, host: 'localhost', path: '/health/ready' })).status).toBe(200)
    expect((await rawRequest({ port, host: 'localhost', path: '/' })).status).toBe(401)
    await app.stop()
  })

  test('run the example drain-worker.mjs', async () => {
    const text = await readFile(new URL('../../examples/drain-worker.mjs', import.meta.url), 'utf8')
    const path = await esm.write('drain-worker.mjs', text)
    const app = await spawnApp({ args: [path], cwd: esm.dir, readyPattern: /^working$/ })
    app.signal('SIGTERM')
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.lines).toEqual(['working', 'no more work', 'queue closed'])
  })

  test('run the example own-check.mjs', async () => {
    const file = 'own-check.mjs'
    const path = await esm.write(
      file,
      await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8'),
    )
    await esm.write('LICENCE', 'granted')
    expect(await esm.run(process.execPath, path)).toContain(
      "starting\nwhat has to be there before the first request { licence: 'ready' } degraded\n",
    )
  })

  test('run the example watchdog.mjs', async () => {
    const file = 'watchdog.mjs'
    const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
    const path = await esm.write(file, text)
    expect(await esm.run(process.execPath, path)).toContain(
      "mail started\nmail succeeded\ndegraded degraded [ 'watchdog.queue' ]\n",
    )
  })

  test('run the example metrics.mjs', async () => {
    const file = 'metrics.mjs'
    const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
    const path = await esm.write(file, text)
    const env = { DATABASE_URL: postgres.url, PORT: '0' }
    const app = await spawnApp({ args: [path], cwd: esm.dir, env, readyPattern: /^http:\/\/.*:(\d+)$/ })
    const port = Number(app.ready?.[1])
    expect((await rawRequest({ port, host: 'localhost', path: '/' })).body).toBe('hello')
    const { body } = await rawRequest({ port, host: 'localhost', path: '/metrics' })
    expect(body).toMatch(/^orders_total 1$[\s\S]*^baldur_verdict_status\{status="healthy"\} 1$/m)
    await app.stop()
  })

  test('run the example open-telemetry.mjs', async () => {
    const file = 'open-telemetry.mjs'
    const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
    const told = await esm.run(process.execPath, await esm.write(file, text))
    expect(told).toMatch(/name: 'baldur\.verdict\.status'[\s\S]*status: 'healthy' \},\s*[\s\S]*?value: 1/)
    expect(told).toContain("name: 'baldur.check.duration'")
  })

  test('run the example built-in-checks.mjs', async () => {
    const file = 'built-in-checks.mjs'
    const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
    const server = createServer((_request, response) => response.end('ok'))
    const { port, close } = await listen(server)
    const path = await esm.write(file, text)
    const env = { ORDERS_URL: `http://127.0.0.1:${port}/`, SMTP_PORT: String(port) }
    const app = await spawnApp({ args: [path], cwd: esm.dir, env })
    expect(await app.exited).toMatchObject({ code: 0 })
    await close()
    expect(app.lines.join(' ')).toMatch(
      /^healthy \{\s*orders: 'healthy',\s*smtp: 'healthy',\s*disk: 'healthy',\s*event_loop: 'healthy',\s*memory: 'healthy'\s*\}$/,
    )
  })

  test('hold nothing but the build, the licence and the README, and no trace of the sources', async () => {
    const list = await esm.run('find', 'node_modules/@baldur', '-type', 'f')
    const strange = list
      .split('\n')
      .filter(
        (file) =>
          file !== '' &&
          !/\/(?:dist\/[^/]+\.(?:c?js|d\.c?ts)(?:\.map)?|package\.json|README\.md|LICENSE)$/.test(file),
      )
    expect(strange).toEqual([])
    const manifests = await esm.run(
      'cat',
      ...['admin', 'core', 'express', 'fastify', 'koa', 'runner'].map(
        (name) => `node_modules/@baldur/health-${name}/package.json`,
      ),
    )
    expect(manifests).not.toMatch(/@baldur\/source|workspace:|catalog:/)
  })
})

const load = async <Module>(project: PackedProject, path: string): Promise<Module> =>
  (await import(
    /* @vite-ignore */ pathToFileURL(join(project.dir, 'node_modules', ...path.split('/'))).href
  )) as Module
const packedFactory = async (): Promise<typeof import('@baldur/health-core').createHealth> =>
  (await load<typeof import('@baldur/health-core')>(esm, '@baldur/health-core/dist/index.js')).createHealth

describeAdapter(
  'Fastify 5.0.0 with the packed packages',
  async ({ below, ...options }) => {
    const { default: Fastify } = await load<typeof import('fastify')>(esm, 'fastify/fastify.js')
    const { baldurHealth } = await load<typeof import('@baldur/health-fastify')>(
      esm,
      '@baldur/health-fastify/dist/index.js',
    )
    const app = Fastify()
    if (below === undefined) await app.register(baldurHealth, options)
    else await app.register((inner) => inner.register(baldurHealth, options), { prefix: below })
    app.addHook('onRequest', async (_request, reply) => reply.code(401).header(OF_THE_APP, 'yes').send())
    await app.ready()
    return listen(app.server)
  },
  packedFactory,
)

describeAdapter(
  'Express 4.17 with the packed packages',
  async ({ below, ...options }) => {
    const { default: express } = await load<{ default: typeof import('express') }>(esm, 'express/index.js')
    const { baldurHealth } = await load<typeof import('@baldur/health-express')>(
      esm,
      '@baldur/health-express/dist/index.js',
    )
    const app = express()
    if (below === undefined) app.use(baldurHealth(options))
    else app.use(below, express.Router().use(baldurHealth(options)))
    app.use((_request, response) => void response.status(401).set(OF_THE_APP, 'yes').json('no'))
    return listen(createServer(app))
  },
  packedFactory,
)

describeAdapter(
  'Koa 2.13 with the packed packages',
  async ({ below, ...options }) => {
    const { default: Koa } = await load<{ default: typeof import('koa') }>(esm, 'koa/lib/application.js')
    const { baldurHealth } = await load<typeof import('@baldur/health-koa')>(
      esm,
      '@baldur/health-koa/dist/index.js',
    )
    const app = new Koa()
    app.use(below === undefined ? baldurHealth(options) : mountAt(below, baldurHealth(options)))
    app.use((ctx) => {
      ctx.status = 401
      ctx.set(OF_THE_APP, 'yes')
    })
    return listen(createServer(app.callback()))
  },
  packedFactory,
)
