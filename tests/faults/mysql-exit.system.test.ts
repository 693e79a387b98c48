// @module-tag mariadbd
import { type PrivateServer, selfSigned, spawnApp, startMariadb } from 'health-testkit'
import { afterEach, expect, test } from 'vitest'

let mariadb: PrivateServer

afterEach(() => mariadb.stop())

/** A program of the built packages that asks once, says what it read within the time, and has nothing else to do. */
const program = (settings: unknown, ms: number): readonly string[] => [
  '--input-type=module',
  '-e',
  `import { createHealth } from '@baldur/health-core'
   import { mysqlCheck } from '@baldur/health-core/mysql'
   const health = createHealth({ databases: { default: mysqlCheck(${JSON.stringify(settings)}) }, env: {} })
   const asked = health.readiness()
   setTimeout(async () => console.log((await asked).status, performance.timeOrigin + performance.now()), ${ms})`,
]

async function lastWords(args: readonly string[]): Promise<{ words: string | undefined; afterMs: number }> {
  const began = performance.timeOrigin + performance.now()
  const app = await spawnApp({ args })
  const { ms, code } = await app.exited
  expect(code).toBe(0)
  const [words, at] = app.stdout.at(-1)?.split(' ') ?? []
  return { words, afterMs: began + ms - Number(at) }
}

test('a connection that is being made to a stalled server keeps no process alive', async () => {
  mariadb = await startMariadb()
  await mariadb.pause()
  const { words, afterMs } = await lastWords(program(mariadb.url, 700))
  expect(words).toBe('not_ready')
  expect(afterMs).toBeLessThan(500)
})

test('nor does a warm one with TLS', async () => {
  const { key, cert } = await selfSigned()
  mariadb = await startMariadb({ tls: { key, cert } })
  const settings = { host: 'localhost', port: mariadb.port, user: 'root', ssl: { ca: cert } }
  const { words, afterMs } = await lastWords(program(settings, 500))
  expect(words).toBe('ready')
  expect(afterMs).toBeLessThan(500)
})
