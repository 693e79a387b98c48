import { afterEach, describe, expect, test } from 'vitest'
import { rawConnection } from './raw-connection.ts'
import { rawRequest } from './raw-request.ts'
import { OF_THE_APP, type Service } from './services/service.ts'

/** What is needed of a drain; this package knows none. */
interface DrainLike {
  start(
    reason?: string,
    how?: { readonly withinMs: number },
  ): Promise<{ readonly isClean: boolean; readonly aborted: readonly string[] }>
  stats(): { readonly inFlight: number; readonly refused: number }
}

/** A drain that knows its requests by middleware alone, or by its server as well. */
export type DrainBy = 'middleware' | 'middleware and server'

/** What the drain middleware of every adapter does. `serve` gives a service of `services/` with it, in front of everything. */
export function describeDrain(
  name: string,
  serve: (by: DrainBy, options: object) => Promise<{ readonly service: Service; readonly drain: DrainLike }>,
): void {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  const start = async (by: DrainBy, more: object = {}) => {
    const bounds = {
      shutdownDelayMs: 400,
      settleMs: 0,
      lingerMs: 150,
      requestTimeoutMs: 1_000,
      hookTimeoutMs: 300,
    }
    const { service, drain } = await serve(by, { ...bounds, env: {}, ...more })
    closers.push(service.close)
    const ask = (path: string) =>
      rawRequest({ port: service.port, path, headers: { connection: 'keep-alive' } })
    return { service, drain, ask }
  }

  describe.each<DrainBy>(['middleware', 'middleware and server'])(`${name} drains by its %s`, (by) => {
    test('a request counts once, from its arrival to the end of its answer', async () => {
      const { service, drain, ask } = await start(by)
      const events = await rawConnection({ port: service.port })
      closers.push(() => events.close())
      events.send('GET /open/events/200 HTTP/1.1\r\nHost: x\r\n\r\n')
      await expect.poll(() => drain.stats().inFlight).toBe(1)
      for (const way of ['status/200', 'throw/500', 'stream/200']) await ask(`/open/${way}`)
      expect(drain.stats().inFlight).toBe(1)
      events.reset()
      await expect.poll(() => drain.stats().inFlight).toBe(0)
    })

    test('clients are told to move away, answers of every kind', async () => {
      // long enough for a busy machine, and cut short below
      const { drain, ask } = await start(by, { shutdownDelayMs: 20_000, gracePeriodMs: 60_000 })
      expect((await ask('/open/status/200')).header('connection')).toBe('keep-alive')
      const ended = drain.start()
      for (const [way, status] of [
        ['status/200', 200],
        ['throw/502', 502],
        ['stream/200', 200],
      ] as const) {
        const answer = await ask(`/open/${way}`)
        expect([way, answer.status, answer.header('connection')]).toEqual([way, status, 'close'])
      }
      void drain.start('seen', { withinMs: 300 })
      expect(await ended).toMatchObject({ isClean: true })
    })

    test('what is under way ends before the drain does', async () => {
      const { service, drain } = await start(by)
      const slow = rawRequest({ port: service.port, path: '/open/slow/200' })
      await expect.poll(() => drain.stats().inFlight).toBe(1)
      const ended = drain.start()
      expect((await slow).status).toBe(200)
      expect(await ended).toMatchObject({ isClean: true, aborted: [] })
    })

    test('late requests that are rejected never reach the app', async () => {
      const { service, drain } = await start(by, { shutdownDelayMs: 0, lingerMs: 500 })
      const open = await rawConnection({ port: service.port })
      const get = 'GET /open/status/200 HTTP/1.1\r\nHost: x\r\n\r\n'
      open.send(get)
      expect((await open.read()).status).toBe(200)
      const ended = drain.start()
      open.send(get)
      const late = await open.read()
      expect([
        late.status,
        late.header('connection'),
        late.header('retry-after'),
        late.header(OF_THE_APP),
      ]).toEqual([503, 'close', '1', undefined])
      expect(await open.closed()).toBe('end')
      expect(drain.stats().refused).toBe(1)
      await ended
    })
  })
}
