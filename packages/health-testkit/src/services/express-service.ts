import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import compression from 'compression'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import {
  BAIT,
  httpError,
  type Late,
  listen,
  OPEN,
  pieces,
  type Service,
  type ServiceParts,
  SLOW_MS,
} from './service.ts'

async function openRoute(request: Request, response: Response, late: Late): Promise<void> {
  const { way, code } = OPEN.exec(request.path)?.groups ?? {}
  const status = Number(code)
  if (way === 'throw') throw httpError(status)
  if (way === 'slow') await wait(SLOW_MS)
  response.status(status)
  if (way === 'late') {
    late.waiting += 1
    await once(response, 'close')
    response.send('nobody reads this')
    late.answered += 1
  } else if (way === 'events') {
    response.type('text/event-stream').write('data: 1\n\n')
  } else if (way === 'status' || way === 'slow') {
    response.json({ status })
  } else {
    const stream = Readable.from(pieces(way === 'break'))
    stream.on('error', () => response.destroy())
    stream.pipe(response)
  }
}

/** An Express app as services have them: compression, a rate limit, a body parser, an auth layer that rejects, a catch-all, a 404 and an error handler of its own. */
export function expressService({ mount, attach }: ServiceParts<Express>): Promise<Service> {
  const app = express()
  const late: Late = { waiting: 0, answered: 0 }
  mount?.(app)
  app.use((_request, response, next) => {
    response.set(BAIT)
    next()
  })
  app.use(compression({ threshold: 0 }))
  app.use((request, response, next) => {
    if (OPEN.test(request.path)) openRoute(request, response, late).catch(next)
    else next()
  })
  app.use(rateLimit({ windowMs: 60_000, limit: 1, validate: false }))
  app.use(express.json())
  app.use((_request, response) => void response.status(401).json({ error: 'who are you?' }))
  app.all(/.*/, (_request, response) => void response.json('catch-all'))
  app.use((_request, response) => void response.status(404).send('mine'))
  app.use((error: { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.status ?? 500).send('mine')
  })
  const server = createServer(app)
  attach?.(server)
  return listen(server, late)
}
