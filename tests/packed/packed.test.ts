import { readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type PrivatePostgres, rawRequest, spawnApp, startPostgres } from 'health-testkit'
import { describeAdapter } from 'health-testkit/describe-adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installInto, type PackedProject, packAll, TSC } from './packed-project.ts'

let tarballs: string
let esm: PackedProject
let cjs: PackedProject
let alone: PackedProject
let postgres: PrivatePostgres

beforeAll(async () => {
  postgres = await startPostgres()
  tarballs = await packAll()
  const packed = ['health-core', 'health-fastify']
  const types = ['@types/node@20', '@types/pg@8']
  // the oldest Fastify of the peer range, and the newest
  esm = await installInto(tarballs, { type: 'module', packed, others: ['fastify@5.0.0', 'pg@8', ...types] })
  cjs = await installInto(tarballs, { type: 'commonjs', packed, others: ['fastify@5', 'pg@8', ...types] })
  alone = await installInto(tarballs, { type: 'module', packed: ['health-core'], others: [] })
}, 180_000)
afterAll(async () => {
  await Promise.all([esm, cjs, alone].map((project) => project?.remove()))
  if (tarballs !== undefined) await rm(tarballs, { recursive: true, force: true })
  await postgres?.stop()
})

/** The same program for both module systems: a Fastify service on the DSN that is its argument, asked once. */
const program = (load: (name: string, from: string) => string): string => `
${load('Fastify', 'fastify')}
${load('pg', 'pg')}
${load('{ createHealth, HealthConfigError }', '@baldur/health-core')}
${load('{ healthListener, writeAnswer }', '@baldur/health-core/node')}
${load('{ postgresCheck }', '@baldur/health-core/postgres')}
${load('{ baldurHealth }', '@baldur/health-fastify')}
async function main() {
  if (![HealthConfigError, healthListener, writeAnswer].every((it) => typeof it === 'function')) throw new Error('an export is missing')
  const pool = new pg.Pool({ connectionString: process.argv[2] })
  const health = createHealth({ databases: { default: postgresCheck(pool), second: postgresCheck(process.argv[2]) } })
  const app = Fastify()
  await app.register(baldurHealth, { health })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ready = await fetch(url + '/health/ready')
  console.log(ready.status, await ready.text())
  const post = await fetch(url + '/health/ready', { method: 'POST', body: 'x', headers: { 'content-type': 'a/b' } })
  console.log(post.status)
  await app.close()
  console.log('closed at', performance.timeOrigin + performance.now())
}
main()
`
const WITH_IMPORT = program((names, from) => `import ${names} from '${from}'`)
const WITH_REQUIRE = program((names, from) => `const ${names} = require('${from}')`)

describe('the packed tarballs', () => {
  test.each([
    ['import', () => esm, 'main.mjs', WITH_IMPORT],
    ['require', () => cjs, 'main.cjs', WITH_REQUIRE],
  ])(
    'work with %s, and nothing of ours keeps the process alive once its server is closed',
    async (_how, project, file, text) => {
      const path = await project().write(file, text)
      const app = await spawnApp({ args: [path, postgres.url], cwd: project().dir })
      const began = performance.timeOrigin + performance.now()
      const { code, ms } = await app.exited
      expect([code, app.stderr]).toEqual([0, []])
      expect(app.lines.slice(0, 2)).toEqual([
        '200 {"status":"ready","checks":{"database_default":"ready","database_second":"ready"}}',
        '405',
      ])
      const closedAt = Number(app.lines[2]?.split(' ').at(-1))
      expect(began + ms - closedAt).toBeLessThan(300 + 200)
    },
  )

  test('type-check from ESM and CommonJS, with the strictest options', async () => {
    const text = `
import Fastify from 'fastify'
import { createHealth, type Check, type Health, type ProbeResponse } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { postgresCheck } from '@baldur/health-core/postgres'
import { baldurHealth } from '@baldur/health-fastify'
import pg from 'pg'
import { createServer } from 'node:http'
const mine: Check = { name: 'mine', run: async (signal) => !signal.aborted }
const health: Health = createHealth({ databases: { default: postgresCheck(new pg.Pool(), { fall: 3 }) }, checks: [mine] })
const app = Fastify()
void app.register(baldurHealth)
void app.register(baldurHealth, { health, prefix: '/x', logLevel: 'info' })
export const inside: Health = app.health
createServer(healthListener(health))
export const answer: ProbeResponse | Promise<ProbeResponse> | undefined = health.answer({ method: 'GET', target: '/' })
health.on('check', ({ name, durationMs }) => name.length + durationMs)()
// @ts-expect-error: an option that does not exist
createHealth({ budget: 5 })
// @ts-expect-error: not a direction
createHealth({ readiness: { timeoutFailDirection: 'maybe' } })
// @ts-expect-error: a check needs a run
createHealth({ checks: [{ name: 'x' }] })
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
    await esm.run(TSC, ...options, 'types.mts')
    await cjs.run(TSC, ...options, 'types.cts')
  })

  test('core alone works without pg, and a DSN without its driver is a settings error that shows no secret', async () => {
    const path = await alone.write(
      'main.mjs',
      `import { createHealth } from '@baldur/health-core'
       import '@baldur/health-core/postgres'
       const health = createHealth({ env: {} })
       console.log((await health.answer({ method: 'GET', target: '/health/ready' })).status)
       try { createHealth({ env: { BALDUR_SQL_DSN: 'postgres://joe:hunter2@db/x' } }) } catch (error) { console.log(error.name, error.message) }`,
    )
    const output = await alone.run(process.execPath, path)
    expect(output).toMatch(
      /^200\nHealthConfigError a setting is wrong:\n {2}BALDUR_SQL_DSN: expected the package pg to be installed/,
    )
    expect(output).not.toContain('hunter2')
  })

  test.each(['fastify.mjs', 'node-http.mjs'])('run the example %s', async (file) => {
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
      'node_modules/@baldur/health-core/package.json',
      'node_modules/@baldur/health-fastify/package.json',
    )
    expect(manifests).not.toMatch(/@baldur\/source|workspace:|catalog:/)
  })
})

const load = (project: PackedProject, path: string): Promise<Record<string, never>> =>
  import(/* @vite-ignore */ pathToFileURL(join(project.dir, 'node_modules', ...path.split('/'))).href)

describeAdapter(
  'Fastify 5.0.0 with the packed packages',
  async (mounting) => {
    const { default: Fastify } = (await load(
      esm,
      'fastify/fastify.js',
    )) as unknown as typeof import('fastify')
    const { baldurHealth } = (await load(
      esm,
      '@baldur/health-fastify/dist/index.js',
    )) as unknown as typeof import('@baldur/health-fastify')
    const app = Fastify()
    await app.register(baldurHealth, mounting)
    app.addHook('onRequest', async (_request, reply) => reply.code(401).send())
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
  },
  async () =>
    (
      (await load(
        esm,
        '@baldur/health-core/dist/index.js',
      )) as unknown as typeof import('@baldur/health-core')
    ).createHealth,
)
