import { createHealth, type Health } from '@baldur/health-core'
import { afterEach, describe, expect, test } from 'vitest'
import { ADAPTER_STATES, type HealthFactory } from './adapter-states.ts'
import { rawConnection } from './raw-connection.ts'
import { type RawRequestOptions, rawRequest } from './raw-request.ts'
import type { RawResponse } from './raw-response.ts'

/** An app of the adapter's framework that listens on loopback. */
export interface MountedApp {
  readonly port: number
  close(): Promise<unknown>
}

/** What `mount` is asked for. The app has, after the health endpoints, an auth layer that answers 401 to everything, a body parser, a layer that adds ETag and cookies, an error handler and a 404 of its own. */
export interface Mounting {
  readonly health: Health
  /** In place of the health's own. */
  readonly prefix?: string
}

/** Left out of every comparison: the server's own, and they change. */
const OF_THE_SERVER = new Set(['date', 'connection', 'keep-alive'])

const mask = (body: string): string =>
  body
    .replace(/"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"timestamp":"<time>"')
    .replace(/"_cache":\{"hit":"(?:L1|L3)","age_ms":\d+\}/, '"_cache":"<cache>"')

const headersOf = (response: RawResponse): Record<string, string> =>
  Object.fromEntries(response.rawHeaders.filter(([name]) => !OF_THE_SERVER.has(name.toLowerCase())))

/** The conformance suite: what every adapter answers over a real socket, byte for byte. `loadFactory` gives another core than the source, as packed. */
export function describeAdapter(
  name: string,
  mount: (mounting: Mounting) => Promise<MountedApp>,
  loadFactory: () => HealthFactory | Promise<HealthFactory> = () => createHealth,
): void {
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  const start = async (stateName: string, { prefix, own = '' }: { prefix?: string; own?: string } = {}) => {
    const state = ADAPTER_STATES.find((candidate) => candidate.name === stateName)
    if (state === undefined) throw new Error(`no state ${stateName}`)
    const health = await state.make(await loadFactory(), { prefix: own })
    const app = await mount(prefix === undefined ? { health } : { health, prefix })
    closers.push(() => health.close(), app.close)
    const ask = (path: string, more: Omit<RawRequestOptions, 'port'> = {}) =>
      rawRequest({ port: app.port, path, ...more })
    return { health, port: app.port, ask, answers: state.answers }
  }

  describe(`${name} answers like every other adapter`, () => {
    describe.each(ADAPTER_STATES.map((state) => state.name))('%s', (stateName) => {
      test('GET, HEAD and OPTIONS on every path, with and without a slash and a query', async () => {
        const { ask, answers } = await start(stateName)
        for (const [path, [status, body]] of Object.entries(answers)) {
          for (const target of [path, `${path}/`, `${path}?a=1`, `${path}/?a=/x`]) {
            const got = await ask(target)
            expect([target, got.status, mask(got.body)]).toEqual([target, status, body])
            expect(headersOf(got)).toEqual({
              'content-type': 'application/json; charset=utf-8',
              'content-length': String(got.bodyBytes.length),
              'cache-control': 'no-store',
              ...(body.includes('draining') ? { 'retry-after': '7' } : {}),
            })
          }
          const head = await ask(path, { method: 'HEAD' })
          expect([head.status, head.body]).toEqual([status, ''])
          const isTimed = body.includes('<time>')
          if (!isTimed) expect(headersOf(head)).toEqual(headersOf(await ask(path)))
          const options = await ask(path, { method: 'OPTIONS' })
          expect([options.status, options.body]).toEqual([status, ''])
          expect(headersOf(options)).toMatchObject({ 'content-length': '0', allow: 'GET, HEAD, OPTIONS' })
        }
      })
    })

    test('any other method is 405 with Allow, whatever body it carries', async () => {
      const { ask } = await start('ready')
      const bodies: readonly (readonly [type: string, body: string])[] = [
        ['application/json', '{"broken'],
        ['text/weird', 'x'],
        ['multipart/form-data', 'no boundary'],
        ['application/json', 'x'.repeat(200_000)],
        ['', ''],
      ]
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const [type, body] of bodies) {
          const got = await ask('/health/ready', {
            method,
            body,
            headers: type === '' ? {} : { 'content-type': type },
          })
          expect([method, type, got.status, got.body]).toEqual([
            method,
            type,
            405,
            '{"status":"method_not_allowed"}',
          ])
          expect(got.header('allow')).toBe('GET, HEAD, OPTIONS')
        }
      }
    })

    test('is never answered 304, adds no ETag, no cookie and no X-Powered-By', async () => {
      const { ask } = await start('ready')
      const bait = {
        'if-none-match': '*',
        'if-modified-since': new Date().toUTCString(),
        'accept-encoding': 'gzip, br',
      }
      for (const path of ['/health/ready', '/health/live', '/health/pool', '/health']) {
        const got = await ask(path, { headers: bait })
        expect(got.status).toBe(200)
        for (const header of [
          'etag',
          'set-cookie',
          'x-powered-by',
          'content-encoding',
          'transfer-encoding',
          'vary',
        ]) {
          expect([header, got.header(header)]).toEqual([header, undefined])
        }
      }
    })

    test('HTTP/1.0 without Host is answered', async () => {
      const { ask } = await start('ready')
      const got = await ask('/health/ready', { httpVersion: '1.0', hostHeader: false })
      expect([got.status, got.body]).toEqual([
        200,
        '{"status":"ready","checks":{"database_default":"ready"}}',
      ])
    })

    test('answers pipelined requests in their order on one connection', async () => {
      const { port } = await start('ready')
      const connection = await rawConnection({ port })
      const paths = ['/health/live', '/health/ready', '/health/ping', '/health/startup']
      connection.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
      const words: string[] = []
      for (const _ of paths) words.push((await connection.read()).body)
      connection.close()
      expect(words.map((word) => word.slice(0, 18))).toEqual([
        '{"status":"alive"}',
        '{"status":"ready",',
        '{"ping":"pong","st',
        '{"status":"started',
      ])
    })

    test('while draining only readiness, health and pool close their connection', async () => {
      const { ask } = await start('draining')
      const keepAlive = { connection: 'keep-alive' }
      for (const path of ['/health', '/health/ready', '/health/pool']) {
        expect((await ask(path, { headers: keepAlive })).header('connection')).toBe('close')
      }
      for (const path of ['/health/live', '/health/ping', '/health/startup']) {
        expect((await ask(path, { headers: keepAlive })).header('connection')).not.toBe('close')
      }
    })

    test('paths are case-sensitive and undecoded, and what is not ours passes on to the app', async () => {
      const { ask } = await start('ready')
      for (const path of [
        '/Health/live',
        '/health/LIVE',
        '/healt%68/live',
        '/health/live//',
        '/health/live/x',
        '//health/live',
        '/healthy',
        'http://x/health/live',
        '/health;a/live',
        '/orders',
        '/',
      ]) {
        expect([path, (await ask(path)).status]).toEqual([path, 401])
      }
    })

    test.each([
      ['the health’s own', { own: '/api/baldur' }],
      ['the mount’s', { prefix: '/api/baldur' }],
      ['the mount’s in place of the health’s own', { own: '/other', prefix: '/api/baldur' }],
    ])('under a prefix (%s)', async (_which, prefixes) => {
      const { ask } = await start('ready', prefixes)
      expect((await ask('/api/baldur/health/ready/')).status).toBe(200)
      expect((await ask('/api/baldur/health/ready', { method: 'POST' })).status).toBe(405)
      for (const path of ['/health/ready', '/other/health/ready', '/api/baldurhealth/ready', '/api/baldur']) {
        expect([path, (await ask(path)).status]).toEqual([path, 401])
      }
    })

    test('two apps in one process share nothing', async () => {
      const [one, other] = [await start('ready'), await start('draining')]
      expect((await one.ask('/health/ready')).status).toBe(200)
      expect((await other.ask('/health/ready')).status).toBe(503)
    })
  })
}
