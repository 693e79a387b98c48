import { readFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MIB = 1_048_576
const GIB = 1_024 * MIB
/** What the collector has not yet taken of pieces that are gone: up to 64 MiB were seen. A body that is kept is far more. */
const SLACK_MIB = 128

let app: SpawnedApp
let port: number

beforeAll(async () => {
  app = await spawnApp({
    args: [fileURLToPath(new URL('runner-streams.mjs', import.meta.url))],
    readyPattern: /^listening on (\d+)$/,
  })
  port = Number(app.ready?.[1])
  // whatever is loaded and compiled with the first requests is there before anything is measured
  await until(async () => (await rawRequest({ port, path: `/?bytes=${MIB}` })).status === 200, {
    timeoutMs: 20_000,
  })
})
afterAll(() => app?.stop())

/** What the gateway's process holds of the machine's memory, in MiB. */
function memory(): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1_024
}

/** How much more it held at most while this ran than before, in MiB. */
async function growth(run: () => Promise<void>): Promise<number> {
  const before = memory()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, memory())
  }, 20)
  await run()
  clearInterval(timer)
  return Math.max(most, memory()) - before
}

test('1 GiB from a runner to a client holds memory flat', async () => {
  let bytes = 0
  const grown = await growth(
    () =>
      new Promise((resolve, reject) => {
        get({ port, path: `/?bytes=${GIB}` }, (response) => {
          response.on('data', (part: Buffer) => {
            bytes += part.length
          })
          response.on('end', resolve).on('error', reject)
        }).on('error', reject)
      }),
  )
  expect(bytes).toBe(GIB)
  expect(grown).toBeLessThan(SLACK_MIB)
})

test('1 GiB from a client to a runner holds memory flat', async () => {
  const piece = Buffer.alloc(65_536, 'x')
  let left = GIB
  const body = new Readable({
    read() {
      left -= piece.length
      this.push(left < 0 ? null : piece)
    },
  })
  let told = ''
  const grown = await growth(async () => {
    const sent = request({ port, method: 'POST', path: '/' })
    const answered = new Promise<void>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          told += part
        })
        response.on('end', resolve)
      })
    })
    await pipeline(body, sent)
    await answered
  })
  expect(told).toBe(String(GIB))
  expect(grown).toBeLessThan(SLACK_MIB)
})

test('a client that reads nothing for seconds is not buffered for, and gets the rest', async () => {
  let bytes = 0
  const grown = await growth(
    () =>
      new Promise((resolve, reject) => {
        get({ port, path: `/?bytes=${256 * MIB}` }, (response) => {
          void sleep(3_000).then(() => {
            response.on('data', (part: Buffer) => {
              bytes += part.length
            })
          })
          response.on('end', resolve).on('error', reject)
        }).on('error', reject)
      }),
  )
  expect(bytes).toBe(256 * MIB)
  expect(grown).toBeLessThan(SLACK_MIB)
})
