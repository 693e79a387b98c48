import { rm } from 'node:fs/promises'
import { type PrivateServer, startMariadb, startPostgres, startRedis } from 'health-testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONSUMER } from './packed-consumer.ts'
import { expectServices } from './packed-program.ts'
import { installInto, type PackedProject, packAll, TSC_6, TSC_7 } from './packed-project.ts'

/** The tarballs beside the newest frameworks and drivers of the ranges, as npm installs them. */
let newest: PackedProject

beforeAll(async () => {
  const tarballs = await packAll()
  const types = ['node@20', 'pg@8', 'express@5', 'koa@3'].map((name) => `@types/${name}`)
  const frameworks = ['fastify@5', 'express@5', 'koa@3']
  const drivers = ['pg@8', 'mysql2@3', 'ioredis@6', 'redis@6']
  newest = await installInto(tarballs, { type: 'commonjs', others: [...frameworks, ...drivers, ...types] })
  await rm(tarballs, { recursive: true, force: true })
}, 300_000)
afterAll(() => newest?.remove())

describe('with servers of all kinds', { tags: ['mariadbd', 'redis-server'] }, () => {
  let servers: readonly PrivateServer[]
  beforeAll(async () => {
    servers = [await startPostgres(), await startMariadb(), await startRedis()]
  })
  afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())))

  test('the newest frameworks work with require, and nothing of ours keeps the process alive once all is closed', () =>
    expectServices(newest, 'require', ...servers.map(({ url }) => url)))
})

test('the types hold from CommonJS with the newest frameworks, with the strictest options', async () => {
  await newest.write('types.cts', CONSUMER)
  expect(await newest.typeErrors('types.cts')).toBe('')
}, 240_000)

test('the types hold in TypeScript 7', async () => {
  const how = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']
  await newest.write('types-7.cts', CONSUMER)
  await newest.run(TSC_7, ...how, '--types', 'node', 'types-7.cts')
}, 240_000)

test('the types hold with the module resolution that knows no export maps', async () => {
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
  await newest.write('old.ts', text)
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
  await newest.run(process.execPath, TSC_6, ...how, ...options, 'old.ts')
}, 240_000)
