import { getEventListeners, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { systemClock } from '@baldur/health-core/internal'
import { freePort, until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { httpRunner, rawRunner, tidy } from '../testing/gateway-under-test.ts'
import { handFleet } from '../testing/hand-fleet.ts'
import type { AnswerHead, ExchangeOptions, Outgoing, Sink } from '../vocabulary/exchange.ts'
import type { Lease } from '../vocabulary/fleet.ts'
import { createExchange } from './exchange.ts'
import { openConnection } from './open-connection.ts'

const tidied = tidy()
afterEach(() => tidied.all())

/** Takes an answer as the queue does. */
const bufferSink = () => {
  const taken: { head?: AnswerHead; body: string; isWhole: boolean } = { body: '', isWhole: false }
  const sink: Sink = {
    head: (head) => {
      taken.head = head
    },
    data: (chunk) => {
      taken.body += String(chunk)
      return true
    },
    whenReady: () => undefined,
    end: () => {
      taken.isWhole = true
    },
  }
  return { taken, sink }
}

const giving = (port: number, clock = systemClock) => {
  const fleet = handFleet()
  fleet.add('1.1', port)
  const { taken, sink } = bufferSink()
  const exchange = createExchange({ clock })
  const give = (outgoing: Partial<Outgoing> = {}, options: Partial<ExchangeOptions> = {}) =>
    exchange(
      fleet.take('queued') as Lease,
      { method: 'POST', target: '/', headers: ['Host', 'x'], body: undefined, ...outgoing },
      sink,
      { timeoutMs: 1_000, bound: 'whole', ...options },
    )
  return { fleet, taken, give }
}

describe('an exchange whose whole answer has a time', () => {
  it('gives a buffer, and gets an answer with what it says of a retry', async () => {
    const asked: string[] = []
    const { port } = await httpRunner(tidied, (request, response) => {
      request.on('data', (data) => asked.push(`${request.method} ${request.url} ${data}`))
      request.on('end', () => {
        response.writeHead(500, { 'X-Fal-Needs-Retry': '1', 'X-Kept': 'yes' })
        response.end('made')
      })
    })
    const { fleet, taken, give } = giving(port)
    expect(await give({ method: 'PUT', target: '/x?y', body: Buffer.from('body') })).toEqual({
      kind: 'answered',
    })
    expect(asked).toEqual(['PUT /x?y body'])
    expect(taken).toMatchObject({ body: 'made', isWhole: true, head: { status: 500, needsRetry: true } })
    expect(taken.head?.headers).toContain('X-Kept')
    expect(taken.head?.headers).not.toContain('X-Fal-Needs-Retry')
    expect(fleet.given).toMatchObject([
      { kind: 'queued', heads: [500], signs: [{ kind: 'answered', status: 500 }] },
    ])
  })

  it('ends when that is over, however many pieces came', async () => {
    const clock = manualClock()
    const responses: ServerResponse[] = []
    const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
    const { fleet, taken, give } = giving(port, clock)
    const end = give()
    const [response] = await until(() => responses.length === 1 && responses)
    for (const piece of ['a', 'b', 'c']) {
      response?.write(piece)
      await until(() => taken.body.endsWith(piece))
      await clock.advance(300)
    }
    expect(fleet.signs).toEqual([undefined])
    await clock.advance(100)
    expect(await end).toMatchObject({ kind: 'failed', type: 'request_timeout', wasHandedOver: true })
    expect(fleet.signs).toEqual([{ kind: 'timed_out' }])
    expect(taken.isWhole).toBe(false)
    expect(clock.pending).toBe(0)
    await until(() => response?.destroyed)
  })

  it('says whether a request was handed over: not while nobody listens', async () => {
    const { give } = giving(await freePort())
    expect(await give()).toMatchObject({
      ...{ kind: 'failed', type: 'runner_connection_refused', wasHandedOver: false },
    })
    const breaking = giving(
      await rawRunner(tidied, (socket) => void socket.once('data', () => socket.destroy())),
    )
    expect(await breaking.give()).toMatchObject({ type: 'runner_disconnected', wasHandedOver: true })
  })

  it('has not handed over a body of which nothing has come yet', async () => {
    const port = await rawRunner(tidied, (socket) => socket.destroy())
    const { fleet, give } = giving(port)
    const body = new Readable({ read: () => undefined })
    expect(await give({ body }, { bound: 'pieces' })).toMatchObject({ kind: 'failed', wasHandedOver: false })
    expect(fleet.signs).toMatchObject([{ kind: 'broken' }])
  })

  it('tells the sink nothing when whoever waited had gone before', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end('fine'))
    const { fleet, taken, give } = giving(port)
    expect(await give({}, { gone: AbortSignal.abort() })).toEqual({ kind: 'gone' })
    expect(fleet.signs).toEqual([{ kind: 'inconclusive' }])
    expect(taken).toEqual({ body: '', isWhole: false })
  })

  it.each(['breaks', 'takes too long'] as const)(
    'is of no more interest when it %s after that',
    async (how) => {
      const clock = manualClock()
      const responses: ServerResponse[] = []
      const { port } = await httpRunner(tidied, (_, response) => responses.push(response))
      const { fleet, give } = giving(port, clock)
      const controller = new AbortController()
      const end = give({}, { gone: controller.signal })
      const [response] = await until(() => responses.length === 1 && responses)
      controller.abort()
      if (how === 'breaks') response?.destroy()
      else await clock.advance(1_000)
      expect(await end).toEqual({ kind: 'gone' })
      expect(fleet.signs).toMatchObject([{ kind: how === 'breaks' ? 'broken' : 'timed_out' }])
    },
  )

  it('leaves no listener on a signal that outlives it', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end('fine'))
    const { fleet, give } = giving(port)
    const controller = new AbortController()
    await give({}, { gone: controller.signal })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    controller.abort()
    expect(fleet.given[0]?.signs).toEqual([{ kind: 'answered', status: 200 }])
  })

  it('gives a header that cannot be passed on as no HTTP', async () => {
    const { port } = await httpRunner(tidied, (_, response) => response.end('fine'))
    const { fleet } = giving(port)
    const throwing: Sink = {
      ...bufferSink().sink,
      head: () => {
        throw new Error('Invalid character in header content')
      },
    }
    const exchange = createExchange({ clock: systemClock })
    const outgoing = { method: 'GET', target: '/', headers: [], body: undefined }
    const end = await exchange(fleet.take('queued') as Lease, outgoing, throwing, {
      timeoutMs: 1_000,
      bound: 'whole',
    })
    expect(end).toMatchObject({ kind: 'failed', type: 'runner_server_error' })
    expect(fleet.signs).toEqual([{ kind: 'broken', type: 'runner_server_error' }])
  })
})

describe('connections to runners', () => {
  it('are used once each, and are closed', async () => {
    const requests: IncomingMessage[] = []
    const { port, server } = await httpRunner(tidied, (request, response) => {
      requests.push(request)
      response.end('fine')
    })
    let opened = 0
    server.on('connection', () => {
      opened += 1
    })
    for (let round = 0; round < 5; round++) expect(await giving(port).give()).toEqual({ kind: 'answered' })
    expect(opened).toBe(5)
    expect(requests.every(({ headers }) => headers.connection === 'close')).toBe(true)
    await until(() => requests.every(({ socket }) => socket.destroyed))
  })

  it('are given up after their time', async () => {
    const port = await rawRunner(tidied, () => undefined)
    const fires: (() => void)[] = []
    const clock = {
      ...systemClock,
      after: (_: number, fire: () => void) => {
        fires.push(fire)
        return () => undefined
      },
    }
    const runner = { name: '1.1', pid: 1, host: '127.0.0.1', port }
    const outcome = new Promise<unknown[]>((resolve) => {
      openConnection(runner, { clock }, (...both) => resolve(both))
    })
    fires[0]?.()
    expect(await outcome).toMatchObject([{ code: 'ERR_RUNNER_CONNECT_TIMEOUT' }, null])
  })

  it('tell of their end once, whatever comes after', async () => {
    const port = await rawRunner(tidied, (socket) => void setTimeout(() => socket.resetAndDestroy(), 20))
    const runner = { name: '1.1', pid: 1, host: '127.0.0.1', port }
    let told = 0
    const socket = openConnection(runner, { clock: systemClock }, () => {
      told += 1
    })
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ERR_RUNNER_RESET' })
    expect(told).toBe(1)
  })
})
