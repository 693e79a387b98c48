import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { afterEach, describe, expect, test } from 'vitest'
import { ADAPTER_STATES, type HealthFactory, STILL } from './adapter-states.ts'
import { type MountService, PLACES, type Place } from './mounting.ts'
import { rawConnection } from './raw-connection.ts'
import { keptClient, type RawRequestOptions, rawRequest } from './raw-request.ts'
import type { RawResponse } from './raw-response.ts'
import { nodeService } from './services/node-service.ts'
import { OF_THE_APP } from './services/service.ts'
import { bytesOf, headersOf, mask } from './wire-text.ts'

export type { Mounting, MountService } from './mounting.ts'

const isOfTheApp = (response: RawResponse): boolean => response.header(OF_THE_APP) !== undefined

/** The conformance suite: what every adapter answers over a real socket, byte for byte. `loadFactory` gives another core than the source, as packed. */
export function describeAdapter(
  name: string,
  mount: MountService,
  loadFactory: () => HealthFactory | Promise<HealthFactory> = () => createHealth,
): void {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  const stateOf = (stateName: string) => {
    const state = ADAPTER_STATES.find((candidate) => candidate.name === stateName)
    if (state === undefined) throw new Error(`no state ${stateName}`)
    return state
  }

  const start = async (stateName: string, { own = '', ...mounting }: Omit<Place, 'at'> = {}) => {
    const state = stateOf(stateName)
    const health = await state.make(await loadFactory(), { prefix: own })
    const service = await mount({ health, ...mounting })
    closers.push(() => health.close(), service.close)
    const ask = (path: string, more: Omit<RawRequestOptions, 'port'> = {}) =>
      rawRequest({ port: service.port, path, ...more })
    return { health, port: service.port, ask, answers: state.answers }
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
          expect(Object.keys(headersOf(head))).toEqual(Object.keys(headersOf(await ask(path))))
          const options = await ask(path, { method: 'OPTIONS' })
          expect([options.status, options.body]).toEqual([status, ''])
          expect(headersOf(options)).toMatchObject({ 'content-length': '0', allow: 'GET, HEAD, OPTIONS' })
        }
      })

      test.each(PLACES)('%s, to the byte as the plain listener', async (_place, place) => {
        const { own = '', at, ...mounting } = place
        const { make, answers } = stateOf(stateName)
        // two of a kind on a clock that stands, and asked alike, so that their caches go alike
        const createAs = await loadFactory()
        const health = await make(createAs, { prefix: own, clock: STILL })
        const twin = await make(createAs, { prefix: own, clock: STILL })
        const service = await mount({ health, ...mounting })
        const reference = await nodeService({
          mount: (app) => healthListener(twin, { prefix: at, next: app }),
        })
        const [asked, askedToo] = [keptClient(service), keptClient(reference)]
        closers.push(
          () => health.close(),
          () => twin.close(),
          service.close,
          reference.close,
          asked.close,
          askedToo.close,
        )
        for (const path of Object.keys(answers)) {
          for (const [method, target] of [
            ['GET', path],
            ['GET', path],
            ['HEAD', `${path}/`],
            ['OPTIONS', `${path}?nocache=true`],
            ['GET', `${path}/?nocache=true`],
            ['POST', path],
          ] as const) {
            const request = { method, path: `${at}${target}` }
            const [got, wanted] = [await asked.ask(request), await askedToo.ask(request)]
            const name = `${method} ${at}${target}\n`
            expect(name + bytesOf(got)).toBe(name + bytesOf(wanted))
          }
        }
      })
    })

    test('a service that asks as a check of its own is told of no peer', async () => {
      const { ask } = await start('a peer down')
      const headers = { 'x-baldur-health-check': '1' }
      expect((await ask('/health/ready')).status).toBe(503)
      for (const target of ['/health/ready', '/health/ready/?a=1']) {
        const { status, body } = await ask(target, { headers })
        expect([status, body]).toEqual([200, '{"status":"ready","checks":{"database_default":"ready"}}'])
      }
      expect((await ask('/health', { headers })).status).toBe(200)
      expect((await ask('/health', { headers, method: 'HEAD' })).status).toBe(200)
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

    test('a hundred probes meet neither auth nor a rate limit, which the app’s own requests do', async () => {
      const { ask } = await start('ready')
      for (let i = 0; i < 100; i++) {
        const path = i % 2 === 0 ? '/health/live' : '/health/ready'
        expect((await ask(path)).status).toBe(200)
      }
      for (let i = 0; i < 3; i++) expect([401, 429]).toContain((await ask('/orders')).status)
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

    test('a request that offers an upgrade is answered, and its connection ends', async () => {
      const { port } = await start('ready')
      for (const path of ['/health/live', '/health/ready']) {
        const connection = await rawConnection({ port })
        connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`)
        const answer = await connection.read()
        expect([answer.status, answer.header('connection')]).toEqual([200, 'close'])
        expect(await connection.closed()).toBe('end')
      }
    })

    test('a client that asks to keep the connection is told to close it while draining, and hears no keep-alive', async () => {
      const { ask } = await start('draining')
      const answer = await ask('/health/ready', { headers: { connection: 'keep-alive' } })
      expect([answer.header('connection'), answer.header('keep-alive')]).toEqual(['close', undefined])
    })

    test('paths are case-sensitive and undecoded, and what is not ours passes on to the app', async () => {
      const { ask } = await start('ready')
      for (const path of [
        '/Health/live',
        '/health/LIVE',
        '/healt%68/live',
        '/health/live#x',
        '/health;live',
        '/health/live//',
        '/health/live/x',
        '//health/live',
        '/healthy',
        'http://x/health/live',
        '/health;a/live',
        '/orders',
        '/',
      ]) {
        const got = await ask(path)
        // by its auth layer or its rate limit, not by a 404 that somebody made of it
        expect([path, isOfTheApp(got), [401, 429].includes(got.status)]).toEqual([path, true, true])
      }
    })

    test.each(PLACES.filter(([, { at }]) => at !== ''))(
      '%s, and what lies beside it passes on to the app',
      async (_place, place) => {
        const { at, ...mounting } = place
        const { ask } = await start('ready', mounting)
        expect((await ask(`${at}/health/ready/`)).status).toBe(200)
        expect((await ask(`${at}/health/ready`, { method: 'POST', body: '{"broken' })).status).toBe(405)
        for (const path of [
          '/health/ready',
          '/other/health/ready',
          `${at}health/ready`,
          at,
          `${at}/orders`,
        ]) {
          expect([path, isOfTheApp(await ask(path))]).toEqual([path, true])
        }
      },
    )

    test('two apps in one process share nothing', async () => {
      const [one, other] = [await start('ready'), await start('draining')]
      expect((await one.ask('/health/ready')).status).toBe(200)
      expect((await other.ask('/health/ready')).status).toBe(503)
    })
  })
}
