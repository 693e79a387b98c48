import type { IncomingMessage, ServerResponse } from 'node:http'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewayInFrontOf, httpRunner, tidy } from '../testing/gateway-under-test.ts'

const tidied = tidy()
afterEach(() => tidied.all())

const below = (prefix: string, answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!request.url?.startsWith(prefix)) return false
    answer(request, response)
    return true
  }
}

const under = async (options: object) => {
  const { port } = await httpRunner(tidied, (_, response) => response.end('runner'))
  return gatewayInFrontOf(tidied, [port], options)
}

describe('the gateway’s own paths', () => {
  it('are asked first, and a runner gets the rest', async () => {
    const { port, fleet } = await under({
      probes: below('/gateway/health/', (_, response) => response.end('probe')),
      queue: below('/queue/', (_, response) => response.end('queue')),
    })
    const of = async (path: string) => (await rawRequest({ port, path })).body
    expect(await of('/gateway/health/ready')).toBe('probe')
    expect(await of('/queue/orders')).toBe('queue')
    expect(await of('http://x/queue/orders')).toBe('queue')
    expect(await of('http://x/gateway/health/ready?full')).toBe('probe')
    expect(await of('/orders')).toBe('runner')
    expect(fleet.given).toHaveLength(1)
  })

  it('answer also those who offer an upgrade', async () => {
    const { port } = await under({ probes: below('/gateway/', (_, response) => response.end('probe')) })
    const connection = await rawConnection({ port })
    connection.send(
      'GET /gateway/health/live HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    )
    expect((await connection.read()).body).toBe('probe')
    await connection.closed()
  })

  it('let a queued request that waits for 100 send its body', async () => {
    const { port } = await under({
      queue: below('/queue/', (request, response) => {
        let body = ''
        request.on('data', (chunk) => {
          body += String(chunk)
        })
        request.on('end', () => response.end(`queued ${body}`))
      }),
    })
    const connection = await rawConnection({ port })
    connection.send('POST /queue/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
    await until(() => connection.unread.startsWith('HTTP/1.1 100'))
    connection.send('ok')
    expect((await connection.read()).body).toBe('queued ok')
    connection.close()
  })

  it('get no request that two servers could read in two ways', async () => {
    let asked = 0
    const count = (): void => {
      asked += 1
    }
    const { port } = await under({ queue: below('/queue/', count) })
    const connection = await rawConnection({ port })
    connection.send('POST /queue/x HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Length: 0\r\n\r\n')
    expect((await connection.read()).status).toBe(400)
    expect(asked).toBe(0)
    connection.close()
  })

  it('cost one answer when they throw: 500, and a line in the log', async () => {
    const { port, errors } = await under({
      queue: below('/queue/', () => {
        throw new Error('no queue today')
      }),
    })
    const answer = await rawRequest({ port, path: '/queue/x' })
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.body).error_type).toBe('internal_error')
    expect(answer.body).not.toContain('today')
    expect(errors.join()).toContain('no queue today')
    expect((await rawRequest({ port })).body).toBe('runner')
  })
})
