import { serveRunner } from '@baldur/health-runner'
import express from 'express'
import Fastify from 'fastify'
import { freePort, rawConnection, rawRequest } from 'health-testkit'
import Koa from 'koa'
import { describe, expect, it } from 'vitest'

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

function expressApp() {
  const app = express()
  app.get('/', (_request, response) => void response.send('hello'))
  return { app, closed: () => undefined }
}

function koaApp() {
  const app = new Koa()
  app.use((ctx) => {
    if (ctx.path === '/') ctx.body = 'hello'
  })
  return { app, closed: () => undefined }
}

function fastifyApp() {
  let isClosed = false
  const app = Fastify()
  // a plugin that has to be loaded before the first request, and its end
  app.register((inner, _options, loaded) => {
    inner.get('/', () => 'hello')
    inner.addHook('onClose', (_instance, ended) => {
      isClosed = true
      ended()
    })
    loaded()
  })
  return { app, closed: () => isClosed }
}

describe.each([
  ['Express', expressApp, undefined],
  ['Koa', koaApp, undefined],
  ['Fastify', fastifyApp, true],
])('serveRunner with %s', (_name, make, isClosed) => {
  it('holds requests back until the setup has ended, serves, and leaves with what the app holds', async () => {
    const { app, closed } = make()
    const port = await freePort()
    let early: string | undefined
    const { close } = await serveRunner({
      ...{ app, port, exit: false, env: {}, logger: silent },
      setup: async () => {
        early = (await rawRequest({ port })).body
      },
    })
    expect(early).toBe('{"status":"starting"}')
    expect((await rawRequest({ port })).body).toBe('hello')
    expect((await rawRequest({ port, path: '/health/startup' })).body).toBe('{"status":"started"}')
    expect((await rawRequest({ port, path: '/nowhere' })).status).toBe(404)
    await close()
    expect(closed()).toBe(isClosed)
    await expect(rawConnection({ port })).rejects.toThrow()
  })

  it('answers late requests of a drain with 503 while one is under way', async () => {
    const { app } = make()
    const { port, drain, close } = await serveRunner({ app, port: 0, exit: false, env: {}, logger: silent })
    const connection = await rawConnection({ port })
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    connection.send(request)
    expect((await connection.read({ method: 'GET' })).body).toBe('hello')
    const held = drain.track(new Promise((resolve) => setTimeout(resolve, 200)), 'work')
    const closing = close()
    connection.send(request)
    const late = await connection.read({ method: 'GET' })
    expect([late.status, late.header('retry-after')]).toEqual([503, '1'])
    await held
    await closing
    connection.close()
  })
})

it('serveRunner with Fastify refuses an app that listens already', async () => {
  const { app } = fastifyApp()
  await app.listen({ port: 0 })
  await expect(serveRunner({ app, exit: false, env: {} })).rejects.toThrow('one that listens')
  await app.close()
})

it('serveRunner with Fastify lets a plugin that fails to load fail the start, in its own words', async () => {
  const app = Fastify()
  app.register((_inner, _options, loaded) => loaded(new Error('no such template')))
  await expect(serveRunner({ app, port: 0, exit: false, env: {}, logger: silent })).rejects.toThrow(
    'no such template',
  )
})

it('serveRunner with Fastify listens on localhost in one place, where it sees every request', async () => {
  const { app } = fastifyApp()
  const { url, close } = await serveRunner({
    ...{ app, port: 0, host: 'localhost', exit: false, env: {}, logger: silent },
  })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  await close()
})
