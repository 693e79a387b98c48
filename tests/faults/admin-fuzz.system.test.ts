import { connect } from 'node:net'
import { rawRequest } from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdminService, OPERATOR, startAdminService, VIEWER } from './admin-service.ts'

let service: AdminService
beforeAll(async () => {
  service = await startAdminService()
})
afterAll(() => service.app.stop())

const REQUESTS = 100_000
// as many as may stand in line on one connection
const EACH = 4
const AT_ONCE = 40

/** Numbers from a seed, so that what was found can be found again (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'POST', 'PUT', 'DELETE', 'TRACE', 'PATCH']
const PATHS = [
  ...['/', '/liveness', '/readiness', '/startup', '/health/pool', '/health/ping', '/health', '/metrics'],
  ...['/events', '/explain', '/control', '/health?nocache=true', '/../etc/passwd', '//', '*', '/%00', '/%'],
  ...['http://127.0.0.1/metrics', '/control?x=\u00e9', '/__proto__', '/metrics/', `/${'a'.repeat(4_000)}`],
]
const HOSTS = [
  '127.0.0.1',
  '127.0.0.1:1',
  '[::1]',
  'localhost',
  'localhost:99999',
  'evil.example',
  '',
  '0x7f.1',
]
const NAMES = [
  ...['Origin', 'Authorization', 'X-Baldur-Admin-Key', 'Accept', 'Cookie', 'Expect', 'Upgrade', 'Connection'],
  ...['X-Baldur-Health-Check', 'Content-Type', 'Host', 'If-None-Match', 'Range', 'TE', 'X-\u00ff'],
]
const VALUES = [
  ...[OPERATOR, VIEWER, `Bearer ${OPERATOR}`, `Bearer ${VIEWER}`, 'Bearer', 'null', 'http://127.0.0.1'],
  ...[
    '100-continue',
    'websocket',
    'upgrade',
    'keep-alive',
    '',
    '\t',
    'a, b',
    '\u00e9\u00ff',
    'x'.repeat(2_000),
  ],
]
const BODIES = [
  ...['{"enabled":true}', '{"enabled":false}', '{"enabled":1}', '{', '[]', 'null', '""', '\u0000\u00ff'],
  ...['{"enabled":true,"x":1}', ' '.repeat(5_000), '[[[[[[', '{"__proto__":{"enabled":true}}'],
]
const KEY = [`X-Baldur-Admin-Key: ${OPERATOR}`, `Authorization: Bearer ${VIEWER}`]

/** One request, most of them such as a client could send, some that none would. */
function requestFrom(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const chance = (share: number): boolean => random() < share
  if (chance(0.002)) return Array.from({ length: 60 }, () => String.fromCharCode(random() * 256)).join('')
  const headers = chance(0.99) ? [`Host: ${chance(0.8) ? pick(HOSTS.slice(0, 4)) : pick(HOSTS)}`] : []
  if (chance(0.5)) headers.push(pick(KEY))
  for (let i = random() * 1.3; i > 1; i--) headers.push(`${pick(NAMES)}: ${pick(VALUES)}`)
  const body = chance(0.05) ? pick(BODIES) : ''
  if (body !== '' && chance(0.95)) {
    const bytes = Buffer.byteLength(body, 'latin1')
    headers.push(chance(0.95) ? `Content-Length: ${bytes}` : `Content-Length: ${Math.floor(random() * 200)}`)
  }
  const target = chance(0.9) ? pick(PATHS) : `/${Math.floor(random() * 1e9).toString(36)}`
  const version = chance(0.995) ? '1.1' : pick(['1.0', '2.0', '0.9', '9'])
  return `${pick(METHODS)} ${target} HTTP/${version}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** Sends bytes, says that no more come, and gives all that is answered within a second of the last of it. */
function send(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('connect', () => socket.end(bytes))
    socket.on('data', (chunk: Buffer) => {
      pieces.push(chunk)
      // a stream of events goes on for ever
      if (chunk.includes('event: state')) socket.destroy()
    })
    // refused by a reset: what came before it counts
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')))
  })
}

test('100 000 random requests: no answer is a 500, nothing secret comes out, nothing grows, and the server goes on', async () => {
  const seed = Number(process.env.TEST_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const random = randomFrom(seed)
  const codes = new Map<string, number>()
  let answered = 0
  const work = async (): Promise<void> => {
    while (answered < REQUESTS) {
      const requests = Array.from({ length: EACH }, () => requestFrom(random))
      const answer = await send(service.adminPort, Buffer.from(requests.join(''), 'latin1'))
      for (const [, code = ''] of answer.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3}) /g)) {
        codes.set(code, (codes.get(code) ?? 0) + 1)
        answered += 1
      }
      expect(answer.includes(OPERATOR) || answer.includes(VIEWER), `a key came out, seed ${seed}`).toBe(false)
    }
  }
  // a first part fills caches and compiled code
  const all = Promise.all(Array.from({ length: AT_ONCE }, work))
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const before = await service.held()
  await all
  const seen = [...codes.keys()].sort()
  const allowed = ['100', '200', '400', '401', '403', '404', '405', '408', '413', '417', '431', '503']
  expect(
    seen.filter((code) => !allowed.includes(code)),
    `seed ${seed}`,
  ).toEqual([])
  for (const code of ['200', '400', '401', '403', '404', '405']) expect(seen).toContain(code)
  expect((await service.held()).heap - before.heap).toBeLessThan(10_000_000)
  const after = await rawRequest({ port: service.adminPort, path: '/liveness' })
  expect([after.status, after.body]).toEqual([200, '{"status":"alive"}'])
  expect(service.app.stderr.join()).not.toMatch(/answering failed|writing an answer failed|TypeError/)
}, 120_000)
