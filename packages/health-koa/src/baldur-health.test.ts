import { createServer } from 'node:http'
import { connect, constants, createServer as createHttp2Server } from 'node:http2'
import { createHealth, type Health, HealthConfigError } from '@baldur/health-core'
import Router from '@koa/router'
import { rawRequest } from 'health-testkit'
import { listen, type Service } from 'health-testkit/service'
import Koa from 'koa'
import { afterEach, describe, expect, test } from 'vitest'
import { baldurHealth } from './baldur-health.ts'

const services: Service[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.close()
})

const aHealth = (run: () => unknown = () => true): Health =>
  createHealth({ env: {}, checks: [{ name: 'x', run: run as () => boolean }] })

async function serve(build: (app: Koa) => unknown): Promise<number> {
  const app = new Koa()
  app.silent = true
  build(app)
  const service = await listen(createServer(app.callback()))
  services.push(service)
  return service.port
}

describe('made with no options', () => {
  test('answers, and shows the health it made', async () => {
    const middleware = baldurHealth()
    const port = await serve((app) => app.use(middleware))
    expect((await rawRequest({ port, path: '/health/live' })).body).toBe('{"status":"alive"}')
    expect(middleware.health.phase).toBe('started')
    await middleware.health.close()
  })

  test('refuses bad options at once, with every problem', () => {
    const bad = { readiness: { budgetMs: '5s' }, prefx: '/x', observe: 'yes' } as never
    expect(() => baldurHealth(bad)).toThrow(HealthConfigError)
    expect(() => baldurHealth(bad)).toThrow(/observe: [\s\S]*did you mean prefix[\s\S]*readiness\.budgetMs/)
  })
})

describe('what Koa and its middleware do to other answers', () => {
  test('headers that earlier middleware set on its way in stay, and what it does on its way out changes nothing', async () => {
    const ways: unknown[] = []
    const port = await serve((app) => {
      app.use(async (ctx, next) => {
        ctx.set('Access-Control-Allow-Origin', '*')
        await next()
        // what loggers read, and what etag and compression write
        ways.push(`${ctx.status} ${ctx.length} ${ctx.body !== undefined}`)
        ctx.set('ETag', '"late"')
        ctx.status = 418
        ctx.body = 'late'
      })
      app.use(baldurHealth({ health: aHealth() }))
    })
    // the first is waited for, the others are there
    for (let i = 0; i < 3; i++) {
      const answer = await rawRequest({ port, path: '/health/ready' })
      expect([answer.status, answer.body]).toEqual([200, '{"status":"ready","checks":{"x":"ready"}}'])
      expect([answer.header('access-control-allow-origin'), answer.header('etag')]).toEqual(['*', undefined])
    }
    expect(ways).toEqual(['200 41 true', '200 41 true', '200 41 true'])
  })

  test('while draining the connection closes, whatever earlier middleware said of it', async () => {
    const health = aHealth()
    const port = await serve((app) => {
      app.use((ctx, next) => {
        ctx.set('Connection', 'keep-alive')
        return next()
      })
      app.use(baldurHealth({ health }))
    })
    health.beginDrain()
    expect((await rawRequest({ port, path: '/health/ready' })).header('connection')).toBe('close')
  })

  test('errors of later middleware are the app’s, also while it is observed', async () => {
    const port = await serve((app) => {
      app.use(baldurHealth({ health: aHealth(), observe: true }))
      app.use((ctx) => ctx.throw(418, 'thrown'))
    })
    expect((await rawRequest({ port })).status).toBe(418)
  })

  test('over HTTP/2 a draining answer has no Connection header', async () => {
    const health = aHealth()
    const app = new Koa()
    app.use(baldurHealth({ health, observe: true }))
    const service = await listen(createHttp2Server(app.callback()))
    services.push(service)
    health.beginDrain()
    const session = connect(`http://127.0.0.1:${service.port}`)
    const stream = session.request({ [constants.HTTP2_HEADER_PATH]: '/health/ready' })
    const headers = await new Promise<Record<string, unknown>>((resolve) => stream.on('response', resolve))
    stream.resume()
    expect([headers[constants.HTTP2_HEADER_STATUS], headers['retry-after'], headers.connection]).toEqual([
      503,
      '1',
      undefined,
    ])
    await new Promise<void>((resolve) => session.close(resolve))
  })
})

describe('as routes', () => {
  test('answer wherever the router is mounted, before its later middleware, and leave the rest to it', async () => {
    const port = await serve((app) => {
      const api = new Router({ prefix: '/t/:tenant' })
      api.use(baldurHealth({ health: aHealth(), prefix: '/api' }).router.routes())
      api.use((ctx) => {
        ctx.status = 401
      })
      api.get('/orders', () => undefined)
      app.use(api.routes()).use(api.allowedMethods())
    })
    for (const [path, status] of [
      ['/t/7/api/health/ready', 200],
      ['/t/7/api/health/ready/?x=1', 200],
      ['/t/7/api/HEALTH/ready', 404],
      ['/t/7/api/healt%68/ready', 404],
      ['http://x/t/7/api/health/ready', 401],
      ['/t/7/orders', 401],
    ] as const) {
      expect([path, (await rawRequest({ port, path })).status]).toEqual([path, status])
    }
    for (const method of ['POST', 'DELETE', 'PROPFIND']) {
      expect((await rawRequest({ port, method, path: '/t/7/api/health/ready' })).status).toBe(405)
    }
  })

  test('a path that is the mount itself is answered with and without its slash', async () => {
    const port = await serve((app) => {
      const api = new Router()
      api.use('/status', baldurHealth({ env: {}, paths: { live: '/' } }).router.routes())
      app.use(api.routes())
    })
    for (const [path, status] of [
      ['/status', 200],
      ['/status/', 200],
      ['/status?x', 200],
      ['/statusx', 404],
    ] as const) {
      expect([path, (await rawRequest({ port, path })).status]).toEqual([path, status])
    }
  })

  test('the middleware itself, used in a router, is taken as its routes', async () => {
    const port = await serve((app) => {
      const api = new Router()
      api.use('/v1', baldurHealth({ health: aHealth() }) as never)
      app.use(api.routes())
    })
    expect((await rawRequest({ port, path: '/v1/health/ready' })).status).toBe(200)
    expect((await rawRequest({ port, path: '/v1/health/live#x' })).status).toBe(404)
  })

  test('paths that mean something in the router’s pattern language are taken literally', async () => {
    const paths = { live: '/a:b(c)*+', ready: '/!x@$' }
    const { router } = baldurHealth({ env: {}, prefix: '/p+(1)', paths })
    const port = await serve((app) => app.use(router.routes()))
    for (const [path, status] of [
      ['/p+(1)/a:b(c)*+', 200],
      ['/p+(1)/!x@$', 200],
      ['/p+(1)/aXb(c)*+', 404],
      ['/pp1/a:b(c)*+', 404],
    ] as const) {
      expect([path, (await rawRequest({ port, path })).status]).toEqual([path, status])
    }
  })

  test('are the same router each time, of the health that the middleware shows', () => {
    const middleware = baldurHealth({ env: {} })
    expect(middleware.router).toBe(middleware.router)
  })

  test('say that they cannot observe, since they see no other answers', () => {
    const middleware = baldurHealth({ env: {}, observe: true })
    expect(() => middleware.router).toThrow(/observe sees the answers of other routes only as middleware/)
  })
})
