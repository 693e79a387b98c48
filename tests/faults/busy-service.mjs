// A service whose event loop is blocked for 300 ms over and over, and which sheds load. Arguments: the framework, and how health is mounted.
import { createServer } from 'node:http'
import { createHealth } from '@baldur/health-core'
import { attachHealth, healthListener } from '@baldur/health-core/node'
import { baldurHealth as forExpress } from '@baldur/health-express'
import { baldurHealth as forFastify } from '@baldur/health-fastify'
import { baldurHealth as forKoa } from '@baldur/health-koa'
import underPressure from '@fastify/under-pressure'
import express from 'express'
import Fastify from 'fastify'
import Koa from 'koa'
import toobusy from 'toobusy-js'

const [framework, how] = process.argv.slice(2)
const health = createHealth({ env: {}, checks: [{ name: 'x', run: () => true }] })
const isAdapter = how === 'adapter'

toobusy.maxLag(50)
toobusy.interval(100)

const makers = {
  express: () => {
    const app = express()
    if (isAdapter) app.use(forExpress({ health }))
    app.use((_request, response, next) => (toobusy() ? response.status(503).end('too busy') : next()))
    app.get('/', (_request, response) => response.json('hello'))
    return createServer(app)
  },
  koa: () => {
    const app = new Koa()
    if (isAdapter) app.use(forKoa({ health }))
    app.use((ctx) => {
      ctx.status = toobusy() ? 503 : 200
      ctx.body = toobusy() ? 'too busy' : 'hello'
    })
    return createServer(app.callback())
  },
  fastify: async () => {
    const app = Fastify()
    if (isAdapter) await app.register(forFastify, { health })
    await app.register(underPressure, { maxEventLoopDelay: 50, sampleInterval: 100 })
    app.get('/', () => 'hello')
    await app.ready()
    return app.server
  },
  node: () => {
    const shed = (_request, response) => response.writeHead(toobusy() ? 503 : 200).end('too busy')
    return createServer(isAdapter ? healthListener(health, { next: shed }) : shed)
  },
}

const server = await makers[framework]()
if (!isAdapter) attachHealth(server, health)
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`)
  // once in every turn of the loop, so that each turn's sockets still get their turn
  const block = () => {
    const end = performance.now() + 300
    while (performance.now() < end);
    setImmediate(block)
  }
  block()
})
