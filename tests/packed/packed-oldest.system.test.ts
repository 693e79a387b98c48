import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
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
import { CONSUMER } from './packed-consumer.ts'
import { expectServices } from './packed-program.ts'
import { installInto, type PackedProject, packAll } from './packed-project.ts'

/** The tarballs beside the oldest frameworks and drivers of the ranges, as npm installs them. */
let oldest: PackedProject
let postgres: PrivatePostgres

beforeAll(async () => {
  const started = startPostgres()
  const tarballs = await packAll()
  const types = ['node@20', 'pg@8', 'express@5', 'koa@3'].map((name) => `@types/${name}`)
  const frameworks = ['fastify@5.0.0', 'express@4.17.0', 'koa@2.13.0']
  const drivers = ['pg@8', 'mysql2@3.0.0', 'ioredis@5', 'redis@4.2.0']
  // prom-client comes with the admin server; the oldest API of OpenTelemetry, and the newest SDK that takes it
  const telemetry = ['@opentelemetry/api@1.7.0', '@opentelemetry/sdk-metrics@1.30.1']
  oldest = await installInto(tarballs, {
    type: 'module',
    others: [...frameworks, ...drivers, ...telemetry, ...types],
  })
  await rm(tarballs, { recursive: true, force: true })
  postgres = await started
}, 300_000)
afterAll(() => Promise.all([oldest?.remove(), postgres?.stop()]))

type Answer = readonly [path: string, status: number, body: RegExp]
const LISTENS = /^http:\/\/.*:(\d+)$/
const READY = '{"status":"ready","checks":{"database_default":"ready"}}'
const IS_READY: Answer = ['/health/ready', 200, new RegExp(`^${READY}$`)]
const HELLO: Answer = ['/', 200, /^hello$/]
const METRICS = /^orders_total 1$[\s\S]*^baldur_verdict_status\{status="healthy"\} 1$/m

/** Puts an example beside the installed packages. */
const copyExample = async (file: string): Promise<string> =>
  oldest.write(file, await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8'))

test('the types hold from ESM with the oldest frameworks, with the strictest options', async () => {
  await oldest.write('types.mts', CONSUMER)
  expect(await oldest.typeErrors('types.mts')).toBe('')
}, 240_000)

describe('with servers of all kinds', { tags: ['mariadbd', 'redis-server'] }, () => {
  let mariadb: PrivateServer
  let redis: PrivateServer
  beforeAll(async () => {
    mariadb = await startMariadb()
    redis = await startRedis()
  })
  afterAll(() => Promise.all([mariadb?.stop(), redis?.stop()]))

  test('the oldest frameworks work with import, and nothing of ours keeps the process alive once all is closed', () =>
    expectServices(oldest, 'import', postgres.url, mariadb.url, redis.url))

  test('the example mysql-redis.mjs runs', async () => {
    const path = await copyExample('mysql-redis.mjs')
    const env = { DATABASE_URL: mariadb.url, REDIS_URL: redis.url, PORT: '0' }
    const app = await spawnApp({ args: [path], cwd: oldest.dir, env, readyPattern: LISTENS })
    const { body } = await rawRequest({ port: Number(app.ready?.[1]), host: 'localhost', path: '/health' })
    expect(JSON.parse(body)).toMatchObject({
      status: 'healthy',
      checks: { database: 'healthy', redis: 'healthy' },
    })
    await app.stop({ graceMs: 100 })
  })
})

/** Each example that serves, and what it answers. */
const SERVING: readonly (readonly [file: string, answers: readonly Answer[]])[] = [
  ['attach.mjs', [IS_READY, ['/', 401, /./]]],
  ['drain.mjs', [IS_READY, HELLO]],
  ['express.mjs', [IS_READY, HELLO]],
  ['fastify.mjs', [IS_READY, HELLO]],
  ['koa.mjs', [IS_READY, HELLO]],
  ['metrics.mjs', [HELLO, ['/metrics', 200, METRICS]]],
  ['node-http.mjs', [IS_READY, HELLO]],
  ['runner.mjs', [IS_READY, HELLO]],
]

test.each(SERVING)('the example %s runs', async (file, answers) => {
  const env = { DATABASE_URL: postgres.url, PORT: '0', BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '0' }
  const args = [await copyExample(file)]
  const app = await spawnApp({ args, cwd: oldest.dir, env, readyPattern: LISTENS })
  const ask = (path: string) => rawRequest({ port: Number(app.ready?.[1]), host: 'localhost', path })
  for (const [path, status, body] of answers) {
    const answer = await ask(path)
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.body).toMatch(body)
  }
  await app.stop()
})

test('the example runners.mjs runs, and the command beside it', async () => {
  for (const file of ['runner.mjs', 'runners.mjs']) await copyExample(file)
  const hello = async (app: { readonly ready: RegExpMatchArray | null }): Promise<string> =>
    // waits in line until a runner is ready
    (await rawRequest({ port: Number(app.ready?.[1]), path: '/', timeoutMs: 20_000 })).body
  const env = { DATABASE_URL: postgres.url, PORT: '0', BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '0' }
  const options = { cwd: oldest.dir, env, timeoutMs: 20_000 }
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

test('the example admin.mjs runs', async () => {
  const path = await copyExample('admin.mjs')
  const env = { DATABASE_URL: postgres.url, PORT: '0', BALDUR_ADMIN_PORT: '0' }
  const app = await spawnApp({ args: [path], cwd: oldest.dir, env, readyPattern: LISTENS })
  const own = await rawRequest({ port: Number(app.ready?.[1]), host: 'localhost', path: '/health/ready' })
  expect(own.body).toBe(READY)
  const [, admin] = await app.waitForLine(/^admin on http:\/\/127\.0\.0\.1:(\d+)$/)
  const ask = (path: string) => rawRequest({ port: Number(admin), path })
  expect((await ask('/readiness')).body).toBe(READY)
  expect((await ask('/metrics')).body).toContain('baldur_readiness_status{status="ready"} 1')
  expect((await ask('/')).body).toMatch(/^<!doctype html>/)
  await app.stop({ graceMs: 100 })
})

test('the example drain-worker.mjs runs', async () => {
  const path = await copyExample('drain-worker.mjs')
  const app = await spawnApp({ args: [path], cwd: oldest.dir, readyPattern: /^working$/ })
  app.signal('SIGTERM')
  expect(await app.exited).toMatchObject({ code: 0, signal: null })
  expect(app.lines).toEqual(['working', 'no more work', 'queue closed'])
})

test.each([
  [
    'own-check.mjs',
    [/starting\nwhat has to be there before the first request \{ licence: 'ready' \} degraded\n/],
  ],
  ['watchdog.mjs', [/mail started\nmail succeeded\ndegraded degraded \[ 'watchdog\.queue' \]\n/]],
  [
    'open-telemetry.mjs',
    [
      /name: 'baldur\.verdict\.status'[\s\S]*status: 'healthy' \},\s*[\s\S]*?value: 1/,
      /name: 'baldur\.check\.duration'/,
    ],
  ],
])('the example %s runs to its end', async (file, patterns) => {
  await oldest.write('LICENCE', 'granted')
  const told = await oldest.run(process.execPath, await copyExample(file))
  for (const pattern of patterns) expect(told).toMatch(pattern)
})

test('the example built-in-checks.mjs runs to its end', async () => {
  const server = createServer((_request, response) => response.end('ok'))
  const { port, close } = await listen(server)
  const env = { ORDERS_URL: `http://127.0.0.1:${port}/`, SMTP_PORT: String(port) }
  const app = await spawnApp({ args: [await copyExample('built-in-checks.mjs')], cwd: oldest.dir, env })
  expect(await app.exited).toMatchObject({ code: 0 })
  await close()
  expect(app.lines.join(' ')).toMatch(
    /^healthy \{\s*orders: 'healthy',\s*smtp: 'healthy',\s*disk: 'healthy',\s*event_loop: 'healthy',\s*memory: 'healthy'\s*\}$/,
  )
})

const load = async <Module>(project: PackedProject, path: string): Promise<Module> =>
  (await import(
    /* @vite-ignore */ pathToFileURL(join(project.dir, 'node_modules', ...path.split('/'))).href
  )) as Module
const packedFactory = async (): Promise<typeof import('@baldur/health-core').createHealth> =>
  (await load<typeof import('@baldur/health-core')>(oldest, '@baldur/health-core/dist/index.js')).createHealth

describeAdapter(
  'Fastify 5.0.0 with the packed packages',
  async ({ below, ...options }) => {
    const { default: Fastify } = await load<typeof import('fastify')>(oldest, 'fastify/fastify.js')
    const { baldurHealth } = await load<typeof import('@baldur/health-fastify')>(
      oldest,
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
    const { default: express } = await load<{ default: typeof import('express') }>(oldest, 'express/index.js')
    const { baldurHealth } = await load<typeof import('@baldur/health-express')>(
      oldest,
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
    const { default: Koa } = await load<{ default: typeof import('koa') }>(oldest, 'koa/lib/application.js')
    const { baldurHealth } = await load<typeof import('@baldur/health-koa')>(
      oldest,
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
