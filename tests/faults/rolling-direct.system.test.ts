import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  FRAMEWORKS,
  type Framework,
  failed,
  type Outcome,
  sayFigures,
  startClients,
  startInstance,
} from './rolling.ts'

const CLIENTS = 50
const DELAY_MS = 1_000

/** Ends one instance that clients talk to without anything between; resolves when the last of them was refused. */
async function stop(
  framework: Framework,
  signal?: NodeJS.Signals,
): Promise<{ outcome: Outcome; code: number | null; signalledAt: number }> {
  const instance = await startInstance(framework, DELAY_MS)
  const clients = await startClients({
    port: instance.port,
    clients: CLIENTS,
    longestPauseMs: 100,
    endsWhenRefused: true,
  })
  const signalledAt = Date.now()
  const { code } = await instance.end(signal)
  const outcome = await clients.outcome()
  sayFigures(`${framework}, ${CLIENTS} direct clients`, outcome)
  return { outcome, code, signalledAt }
}

describe('keep-alive clients of one instance that ends', () => {
  test.each(FRAMEWORKS)(
    '%s: every request that was sent is answered, and every client is told to close before it is refused',
    async (framework) => {
      const { outcome, code, signalledAt } = await stop(framework)
      expect(outcome.failures).toEqual({})
      expect(outcome.toldToClose).toBe(CLIENTS)
      expect(code).toBe(0)
      expect(outcome.refused).toBe(CLIENTS)
      expect((outcome.firstRefusedAt ?? 0) - signalledAt, 'refused after the delay').toBeGreaterThanOrEqual(
        DELAY_MS,
      )
    },
  )
})

describe('these tests can fail', () => {
  test('of a killed instance requests are never answered, and clients are not told to close', async () => {
    const { outcome } = await stop('fastify', 'SIGKILL')
    expect(failed(outcome)).toBeGreaterThan(0)
    expect(Object.keys(outcome.failures).join()).toContain('no answer')
    expect(outcome.toldToClose).toBe(0)
  })

  test('clients tell a wrong status, a wrong answer, a cut one and none at all apart', async () => {
    let requests = 0
    const server = createServer((request, response) => {
      const kind = requests % 4
      requests += 1
      // what is unread when a socket is closed makes a reset of it, and that may overtake the answer
      request.resume().on('end', () => {
        if (kind === 0) request.socket.destroy()
        else if (kind === 1) {
          response.writeHead(200, { 'content-length': 100 }).write('half', () => request.socket.destroy())
        } else if (kind === 2) response.writeHead(500).end()
        else response.writeHead(request.method === 'POST' ? 201 : 200).end('{"item":"other"}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const outcome = await (await startClients({ port, clients: 8 })).finish()
    expect(Object.keys(outcome.failures).sort()).toEqual([
      'cut answer: ECONNRESET',
      'no answer: ECONNRESET',
      'status 500',
      'wrong body',
    ])
    expect(failed(outcome)).toBe(outcome.sent)
  })
})
