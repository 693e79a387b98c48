import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { freePort, spawnApp } from 'health-testkit'
import { expect, onTestFinished, test } from 'vitest'
import { healthcheck, listening } from './healthcheck-program.ts'

const RESOLVER = new URL('healthcheck-resolver.mjs', import.meta.url)
const ask = (url: string) => healthcheck([url, '--timeout', '2'], { NODE_OPTIONS: `--import=${RESOLVER}` })

test('a name is looked up, and said to the server', async () => {
  const hosts: (string | undefined)[] = []
  const port = await listening(
    createServer((request, response) => {
      hosts.push(request.headers.host)
      response.end()
    }),
  )
  expect(await ask(`http://app.test:${port}/`)).toMatchObject({ code: 0, stderr: [] })
  expect(hosts).toEqual([`app.test:${port}`])
})

test('localhost is never looked up', async () => {
  const port = await listening(createServer((_request, response) => response.end()))
  expect(await ask(`http://localhost:${port}/`)).toMatchObject({ code: 0, stderr: [] })
})

test('exits with 1 on a name that nobody knows, and repeats neither user nor query', async () => {
  expect(await ask('http://joe:hunter2@nobody.test/x?key=hunter2')).toMatchObject({
    code: 1,
    stderr: ['baldur-healthcheck: http://nobody.test/x: nobody.test is an unknown host'],
  })
})

test('is gone at its time also where the resolver hangs', async () => {
  const { code, stderr, ms } = await ask('http://hung.test/')
  expect([code, stderr]).toEqual([
    1,
    ['baldur-healthcheck: http://hung.test/: hung.test gave no answer in 2 s'],
  ])
  expect(ms).toBeLessThan(4_000)
})

test('an admin server that is bound to a name is asked there', async () => {
  const port = await freePort()
  const env = {
    BALDUR_ADMIN_BIND: 'bound.test',
    BALDUR_ADMIN_PORT: String(port),
    BALDUR_ADMIN_KEY: 'a key that an operator has',
    NODE_OPTIONS: `--import=${RESOLVER}`,
  }
  const admin = await spawnApp({
    args: [fileURLToPath(new URL('healthcheck-admin.mjs', import.meta.url))],
    env,
    readyPattern: /^admin on (\S+)$/,
  })
  onTestFinished(() => admin.signal('SIGKILL'))
  expect(admin.ready?.[1]).toBe(`http://bound.test:${port}`)
  expect(await healthcheck([], env)).toMatchObject({ code: 0, stderr: [] })
  const shown = `http://bound.test:${port}/readiness`
  expect(await healthcheck(['--path', '/readiness'], env)).toMatchObject({
    code: 1,
    stderr: [`baldur-healthcheck: ${shown}: bound.test answered 503`],
  })
})
