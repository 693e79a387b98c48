import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describeAdapter } from 'health-testkit/describe-adapter'
import { baldurHealth } from './baldur-health.ts'

describeAdapter('Fastify', async (mounting) => {
  const app = Fastify()
  await app.register(baldurHealth, mounting)
  app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ error: 'who are you?' }))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('etag', '"bait"').header('set-cookie', 'a=b').header('x-powered-by', 'bait')
  })
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('mine'))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
  app.post('/*', (request) => ({ got: request.body }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
})
