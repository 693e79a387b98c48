/** Uses all that is published, right and wrong; valid as `.mts` and as `.cts`. */
export const CONSUMER = `
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
