import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { freePort, rawConnection, rawRequest } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import type { ServedRunner, ServeRunnerOptions } from './child/serve-options.ts'
import { serveRunner } from './serve-runner.ts'
import { type FakeSupervisor, fakeSupervisor } from './testing/fake-supervisor.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
const app = (_request: unknown, response: { end(body: string): unknown }): unknown => response.end('app')

/** A promise that the test settles. */
function later<T = void>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

async function serve(options: ServeRunnerOptions): Promise<ServedRunner> {
  const served = await serveRunner({ exit: false, env: {}, port: 0, logger: silent, ...options })
  closing.push(served.close)
  return served
}

async function supervised(hears?: Parameters<typeof fakeSupervisor>[0]): Promise<FakeSupervisor> {
  const supervisor = await fakeSupervisor(hears)
  closing.push(supervisor.close)
  return supervisor
}

const isRefused = (port: number): Promise<boolean> =>
  rawConnection({ port }).then(
    (connection) => {
      connection.close()
      return false
    },
    () => true,
  )

describe('a runner without a supervisor', () => {
  it('serves its listener, and its health endpoints before it', async () => {
    const { port, url, health } = await serve({ listener: app })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect((await rawRequest({ port, path: '/x' })).body).toBe('app')
    expect((await rawRequest({ port, path: '/health/startup' })).body).toBe('{"status":"started"}')
    expect((await rawRequest({ port, path: '/health/live' })).status).toBe(200)
    expect(health.phase).toBe('started')
  })

  it('mounts the endpoints below a prefix, also those of a health that was given', async () => {
    const health = createHealth({ env: {}, logger: silent })
    const { port } = await serve({ listener: app, health, prefix: '/api/baldur' })
    expect((await rawRequest({ port, path: '/api/baldur/health/ping' })).status).toBe(200)
    expect((await rawRequest({ port, path: '/health/ping' })).body).toBe('app')
    await health.close()
  })

  it('listens where PORT says, and an option wins over it', async () => {
    const [variable, option] = [await freePort(), await freePort()]
    expect((await serve({ listener: app, port: undefined, env: { PORT: `${variable}` } })).port).toBe(
      variable,
    )
    expect((await serve({ listener: app, port: option, env: { PORT: `${variable}` } })).port).toBe(option)
  })

  it('keeps every kind of request from the app until the setup has ended, and says that it is starting', async () => {
    const [port, setup] = [await freePort(), later()]
    const seen: string[] = []
    const listener = (
      request: { url?: string | undefined },
      response: { end(body: string): unknown },
    ): unknown => {
      seen.push(String(request.url))
      return response.end('app')
    }
    const began = later()
    const serving = serve({
      listener,
      port,
      setup: ({ server }) => {
        // what would otherwise answer by itself, or hear of nothing
        server.on('checkContinue', (request) => void seen.push(`continue ${request.url}`))
        server.on('upgrade', (request, socket) => {
          seen.push(`upgrade ${request.url}`)
          socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\n\r\n')
        })
        began.resolve()
        return setup.promise
      },
    })
    await began.promise
    const refused = await rawRequest({ port, path: '/early', method: 'POST', body: 'x' })
    expect([refused.status, refused.body]).toEqual([503, '{"status":"starting"}'])
    expect(refused.header('retry-after')).toBe('1')
    const expecting = { expect: '100-continue', 'content-length': '1' }
    const held = await rawRequest({ port, path: '/early', method: 'POST', headers: expecting })
    expect([held.status, held.informational]).toEqual([503, []])
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    const socket = await rawRequest({ port, path: '/early', headers: upgrade })
    expect([socket.status, socket.body]).toEqual([503, '{"status":"starting"}'])
    expect([socket.header('retry-after'), socket.header('connection')]).toEqual(['1', 'close'])
    const startup = await rawRequest({ port, path: '/health/startup' })
    expect([startup.status, startup.body]).toEqual([503, '{"status":"starting"}'])
    expect((await rawRequest({ port, path: '/health/live' })).status).toBe(200)

    setup.resolve()
    await serving
    expect((await rawRequest({ port, path: '/late' })).body).toBe('app')
    expect((await rawRequest({ port, path: '/socket', headers: upgrade })).status).toBe(101)
    expect(seen).toEqual(['/late', 'upgrade /socket'])
  })

  it('lets a failed setup reject with its own error, closes the port, and tears nothing down', async () => {
    const port = await freePort()
    const error = new Error('no licence')
    let tornDown = 0
    const setup = async (): Promise<void> => {
      throw error
    }
    await expect(serve({ listener: app, port, setup, teardown: () => tornDown++ })).rejects.toBe(error)
    expect(await isRefused(port)).toBe(true)
    expect(tornDown).toBe(0)
  })

  it('names the port that is taken, and does not begin its setup', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    closing.push(async () => other.close())
    let began = 0
    await expect(serve({ listener: app, port, setup: () => began++ })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken by another server`,
    )
    expect(began).toBe(0)
  })

  it('drains without a delay: requests end, then the teardown, then hooks that were added', async () => {
    const [held, told] = [later<string>(), later()]
    const order: string[] = []
    const { port, drain, close } = await serve({
      listener: async (_request, response) => {
        told.resolve()
        response.end(await held.promise)
        order.push('answered')
      },
      setup: async () => void order.push('set up'),
      teardown: async () => void order.push('torn down'),
    })
    drain.onShutdown('mine', () => void order.push('hook'))
    expect(drain.plan.shutdownDelayMs).toBe(0)
    const answer = rawRequest({ port })
    await told.promise
    const closed = close()
    expect(drain.phase).toBe('draining')
    held.resolve('whole')
    expect((await answer).body).toBe('whole')
    await closed
    expect(order).toEqual(['set up', 'answered', 'torn down', 'hook'])
    expect(await isRefused(port)).toBe(true)
  })

  it('tears nothing down when a drain cuts the setup short, and rejects nothing', async () => {
    const setup = later()
    let tornDown = 0
    const began = later<void>()
    const health = createHealth({ env: {}, logger: silent })
    const serving = serve({
      listener: app,
      health,
      setup: () => {
        began.resolve()
        return setup.promise
      },
      teardown: () => tornDown++,
    })
    await began.promise
    // as a signal does
    process.emit('SIGTERM', 'SIGTERM')
    expect(health.phase).toBe('draining')
    setup.reject(new Error('interrupted'))
    const { drain } = await serving
    expect(await drain.start()).toMatchObject({ reason: 'SIGTERM', isClean: true })
    expect(tornDown).toBe(0)
    process.exitCode = undefined
    await health.close()
  })

  it('takes variables of a drain for those of the door: its own delay is 0', async () => {
    const env = { BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: '7' }
    expect((await serve({ listener: app, env })).drain.plan.shutdownDelayMs).toBe(0)
    const drain = { shutdownDelayMs: 100 }
    expect((await serve({ listener: app, env, drain })).drain.plan.shutdownDelayMs).toBe(100)
  })
})

describe('a runner with a supervisor', () => {
  it('says setup, and listens only when that has been acknowledged; then ready', async () => {
    const [port, heard] = [await freePort(), later<boolean>()]
    const setup = later()
    const supervisor = await supervised(({ say }) => (say === 'setup' ? heard.promise : true))
    const began = later()
    const serving = serve({
      listener: app,
      env: { ...supervisor.env, PORT: String(port) },
      setup: () => {
        began.resolve()
        return setup.promise
      },
    })
    while (supervisor.words.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await isRefused(port)).toBe(true)
    heard.resolve(true)
    await began.promise
    expect(await isRefused(port)).toBe(false)
    expect(supervisor.words).toEqual([{ name: '1.1', say: 'setup' }])
    setup.resolve()
    await serving
    expect(supervisor.words).toEqual([
      { name: '1.1', say: 'setup' },
      { name: '1.1', say: 'ready' },
    ])
  })

  it('listens where the supervisor looks for it, whatever its options say', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const supervisor = await supervised()
    const env = { ...supervisor.env, PORT: String(port), HOST: '127.0.0.1' }
    expect((await serve({ listener: app, port: other, host: '0.0.0.0', env })).url).toBe(
      `http://127.0.0.1:${port}`,
    )
  })

  it('says that its setup has failed, and why, in one line without secrets', async () => {
    const supervisor = await supervised()
    const setup = (): never => {
      throw new Error('cannot reach postgres://joe:hunter2@db/orders')
    }
    await expect(serve({ listener: app, env: supervisor.env, setup })).rejects.toThrow('cannot reach')
    const [, word] = supervisor.words
    const told = 'cannot reach postgres://***@db/orders'
    expect(word).toEqual({ name: '1.1', say: 'failed', error: told })
  })

  it('never says ready in a drain', async () => {
    const supervisor = await supervised()
    const [setup, began] = [later(), later()]
    const health = createHealth({ env: {}, logger: silent })
    const serving = serve({
      listener: app,
      health,
      env: supervisor.env,
      setup: () => {
        began.resolve()
        return setup.promise
      },
    })
    await began.promise
    process.emit('SIGTERM', 'SIGTERM')
    setup.resolve()
    await (await serving).drain.start()
    expect(supervisor.words.map(({ say }) => say)).toEqual(['setup'])
    process.exitCode = undefined
    await health.close()
  })

  it('goes on without one whose socket is gone: the port opens when the setup has ended', async () => {
    const supervisor = await fakeSupervisor()
    await supervisor.close()
    const port = await freePort()
    const lines: string[] = []
    let wasRefused: boolean | undefined
    await serve({
      listener: app,
      logger: { ...silent, warn: (line) => lines.push(line) },
      env: { ...supervisor.env, PORT: String(port) },
      setup: async () => {
        wasRefused = await isRefused(port)
      },
    })
    expect(wasRefused).toBe(true)
    expect((await rawRequest({ port })).body).toBe('app')
    expect(lines).toEqual([
      'runner 1.1: its supervisor cannot be reached; the port opens when the setup has ended',
      'runner 1.1: is ready, and its supervisor cannot be reached; it goes on without',
    ])
  })

  it.each([
    ['too long for a socket', `/tmp/${'x'.repeat(300)}`],
    ['no socket', '/dev/null'],
  ])('goes on without one whose path is %s', async (_what, path) => {
    const lines: string[] = []
    const logger = { ...silent, warn: (line: string) => void lines.push(line) }
    const env = { BALDUR_RUNNER_CONTROL: path, BALDUR_RUNNER_NAME: '1.1', PORT: '0' }
    const { port } = await serve({ listener: app, env, logger })
    expect((await rawRequest({ port })).body).toBe('app')
    expect(lines).toHaveLength(2)
  })

  it('tears a setup down that ended well where the port cannot be had after it', async () => {
    const supervisor = await fakeSupervisor()
    await supervisor.close()
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    closing.push(async () => other.close())
    const order: string[] = []
    const serving = serve({
      listener: app,
      env: { ...supervisor.env, PORT: String(port) },
      setup: () => order.push('set up'),
      teardown: () => order.push('torn down'),
    })
    await expect(serving).rejects.toThrow('is taken')
    expect(order).toEqual(['set up', 'torn down'])
  })

  it('outlives a server that cannot accept for a while', async () => {
    const lines: string[] = []
    const server = later<{ emit(event: string, error: Error): boolean }>()
    const { port } = await serve({
      listener: (request, response) => {
        server.resolve((request.socket as unknown as { server: never }).server)
        response.end('app')
      },
      logger: { ...silent, error: (line: string) => void lines.push(line) },
    })
    await rawRequest({ port })
    ;(await server.promise).emit('error', new Error('EMFILE'))
    expect((await rawRequest({ port })).body).toBe('app')
    expect(lines.join()).toContain('runner: Error: EMFILE')
  })

  it('waits a bounded time for one that acknowledges nothing, and says again that it is ready', async () => {
    let times = 0
    const supervisor = await supervised(({ say }) => say === 'ready' && ++times === 2)
    const lines: string[] = []
    const logger = { ...silent, warn: (line: string) => void lines.push(line) }
    const { port } = await serve({ listener: app, env: supervisor.env, logger })
    expect((await rawRequest({ port })).body).toBe('app')
    expect(supervisor.words.map(({ say }) => say)).toEqual(['setup', 'ready', 'ready'])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('has not answered in 2000 ms')
  })
})

describe('settings of serveRunner', () => {
  const problemsOf = async (options: object): Promise<readonly string[]> => {
    const error = await serveRunner(options as ServeRunnerOptions).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'HealthConfigError' })
    const { problems } = error as { problems: readonly { path: string; expected: string; got: string }[] }
    return problems.map(({ path, expected, got }) => `${path}: ${expected}, ${got}`)
  }

  it.each([
    [{}, /^app: one of app \(an Express, Koa or Fastify app .*\) and listener \(.*\), neither$/],
    [{ app, listener: app }, /^app: one of .*, both$/],
    [{ listener: 5 }, /^listener: a function for createServer of node:http, 5/],
    [{ app: createServer() }, /^app: an Express, Koa or Fastify app/],
    [{ app, port: 70_000 }, /^port: a port from 0 to 65535/],
    [{ app, env: { PORT: 'http' } }, /^PORT: a port from 0 to 65535 .*"http"/],
    [{ app, host: '' }, /^host: an address or a name/],
    [{ app, setup: {} }, /^setup: a function/],
    [{ app, teardown: 1 }, /^teardown: a function/],
    [{ app, prefix: 'api' }, /^prefix: /],
    [{ app, health: {} }, /^health: what createHealth returned/],
    [{ app, logger: {} }, /^logger: an object with the functions/],
    [{ app, exit: 'no' }, /^exit: true or false/],
    [{ app, env: [] }, /^env: an object/],
    [{ app, teardwon: app }, /^teardwon: .*did you mean teardown\?/],
    [{ app, drain: 5 }, /^drain: an object/],
    [{ app, drain: { server: createServer() } }, /^drain\.server: nothing: serveRunner sets it/],
    [{ app, drain: { hookTimeoutMs: -1 } }, /^drain\.hookTimeoutMs: /],
    [{ app, drain: { preset: 'k8s' } }, /^drain\.preset: /],
    [{ app, env: { BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: 'x' } }, /^BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: /],
  ])('%j is refused', async (options, message) => {
    const problems = await problemsOf(options)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(message)
  })

  it('come with every problem at once', async () => {
    const problems = await problemsOf({ port: -1, setup: 5, drain: { gracePeriodMs: 1 }, exit: 1 })
    expect(problems.map((line) => line.split(':')[0]).sort()).toEqual(
      ['app', 'drain.gracePeriodMs', 'exit', 'port', 'setup'].sort(),
    )
  })

  it.each([undefined, null, 'app', []])('%j is no object of options', async (options) => {
    expect((await problemsOf(options as never))[0]).toMatch(/^options: an object with an app or a listener/)
  })
})
