import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  BAIT,
  httpError,
  type Late,
  OPEN,
  pieces,
  type Service,
  type ServiceParts,
  SLOW_MS,
} from './service.ts'

async function openRoute(request: FastifyRequest, reply: FastifyReply, late: Late): Promise<unknown> {
  const { way, code } = OPEN.exec(request.url)?.groups ?? {}
  const status = Number(code)
  if (way === 'throw') throw httpError(status)
  if (way === 'slow') await wait(SLOW_MS)
  reply.code(status)
  if (way === 'late') {
    late.waiting += 1
    await once(reply.raw, 'close')
    late.answered += 1
    return 'nobody reads this'
  }
  if (way === 'events') {
    reply.hijack()
    reply.raw.writeHead(status, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    return reply
  }
  return way === 'status' || way === 'slow' ? { status } : Readable.from(pieces(way === 'break'))
}

/** A Fastify app as services have them: compression, a rate limit, its body parser, an auth layer that rejects, a catch-all, a 404 and an error handler of its own. */
export async function fastifyService({ mount, attach }: ServiceParts<FastifyInstance>): Promise<Service> {
  const app = Fastify({ forceCloseConnections: true })
  const late: Late = { waiting: 0, answered: 0 }
  await mount?.(app)
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(BAIT)
  })
  await app.register(compress, { threshold: 0 })
  app.get('/open/:way/:code', (request, reply) => openRoute(request, reply, late))
  await app.register((closed, _options, done) => {
    closed.register(rateLimit, { max: 1, timeWindow: 60_000 })
    closed.addHook('onRequest', async (_request, reply) => reply.code(401).send({ error: 'who are you?' }))
    closed.all('/*', () => 'catch-all')
    done()
  })
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send('mine'),
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
  attach?.(app.server)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: (app.server.address() as AddressInfo).port, late, close: () => app.close() }
}
