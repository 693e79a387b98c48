import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { healthListener } from '@baldur/health-core/node'
import { describeAdapter } from 'health-testkit/describe-adapter'

describeAdapter('The node:http listener', async ({ health, prefix }) => {
  const refuse = (_request: unknown, response: import('node:http').ServerResponse): void => {
    response.setHeader('etag', '"bait"')
    response.writeHead(401)
    response.end()
  }
  const listener = healthListener(health, { next: refuse, ...(prefix === undefined ? {} : { prefix }) })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<unknown> =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
})
