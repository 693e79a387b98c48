import { createServer } from 'node:http'
import { createHealth, type Health, HealthConfigError } from '@baldur/health-core'
import compression from 'compression'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { rawRequest } from 'health-testkit'
import { listen, type Service } from 'health-testkit/service'
import { afterEach, describe, expect, test } from 'vitest'
import { baldurHealth } from './baldur-health.ts'

const services: Service[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.close()
})

const aHealth = (run: () => unknown = () => true): Health =>
  createHealth({ env: {}, checks: [{ name: 'x', run: run as () => boolean }] })

async function serve(build: (app: Express) => unknown): Promise<number> {
  const app = express()
  build(app)
  const service = await listen(createServer(app))
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
    const bad = { readiness: { budgetMs: '5s' }, prefx: '/x', observe: { fal: 2 } } as never
    expect(() => baldurHealth(bad)).toThrow(HealthConfigError)
    expect(() => baldurHealth(bad)).toThrow(
      /observe\.fal: .*did you mean fall[\s\S]*did you mean prefix[\s\S]*readiness\.budgetMs/,
    )
  })
})

describe('what Express and its middleware do to other answers', () => {
  test('headers that earlier middleware set stay, but for X-Powered-By', async () => {
    const port = await serve((app) => {
      app.use((_request, response, next) => {
        response.set('Access-Control-Allow-Origin', '*')
        next()
      })
      app.use(baldurHealth({ health: aHealth() }))
    })
    const answer = await rawRequest({ port, path: '/health/ready' })
    expect(answer.header('access-control-allow-origin')).toBe('*')
    expect(answer.header('x-powered-by')).toBeUndefined()
    expect(answer.header('etag')).toBeUndefined()
  })

  test('compression that was used earlier leaves body and length alone', async () => {
    const port = await serve((app) => {
      app.use(compression({ threshold: 0 }))
      app.use(baldurHealth({ health: aHealth() }))
      app.get('/', (_request, response) => void response.json('hello'))
    })
    const headers = { 'accept-encoding': 'gzip, br' }
    const answer = await rawRequest({ port, path: '/health/ready', headers })
    expect([answer.header('content-encoding'), answer.framing, answer.body]).toEqual([
      undefined,
      'length',
      '{"status":"ready","checks":{"x":"ready"}}',
    ])
    expect((await rawRequest({ port, headers })).header('content-encoding')).toBe('br')
  })

  test('a request that was answered before it arrives here breaks nothing', async () => {
    const errors: unknown[] = []
    const port = await serve((app) => {
      app.use((_request, response, next) => {
        response.end('mine')
        next()
      })
      app.use(baldurHealth({ health: aHealth() }))
      app.use((error: unknown, _request: Request, _response: Response, _next: NextFunction) => {
        errors.push(error)
      })
    })
    expect((await rawRequest({ port, path: '/health/ready' })).body).toBe('mine')
    expect((await rawRequest({ port, path: '/health/live' })).body).toBe('mine')
    expect(errors).toEqual([])
  })

  test('a mount path with parameters, and a sub-app, are Express’s business', async () => {
    const port = await serve((app) => {
      const middleware = baldurHealth({ health: aHealth(), prefix: '/api' })
      app.use('/t/:tenant', middleware)
      const inner = express()
      inner.use(middleware)
      app.use('/sub', inner)
    })
    for (const [path, status] of [
      ['/t/7/api/health/ready?x', 200],
      ['/sub/api/health/ready/', 200],
      ['/sub/health/ready', 404],
      ['/t/api/health/ready', 404],
    ] as const) {
      expect([path, (await rawRequest({ port, path })).status]).toEqual([path, status])
    }
  })

  test('while draining the connection closes, whatever earlier middleware said of it', async () => {
    const health = aHealth()
    const port = await serve((app) => {
      app.use((_request, response, next) => {
        response.set('Connection', 'keep-alive')
        next()
      })
      app.use(baldurHealth({ health }))
    })
    health.beginDrain()
    expect((await rawRequest({ port, path: '/health/ready' })).header('connection')).toBe('close')
  })

  test('errors of later middleware are the app’s, also while it is observed', async () => {
    const port = await serve((app) => {
      app.use(baldurHealth({ health: aHealth(), observe: true }))
      app.get('/', () => {
        throw Object.assign(new Error('thrown'), { status: 418, expose: true })
      })
    })
    expect((await rawRequest({ port })).status).toBe(418)
  })
})
