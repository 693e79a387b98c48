import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock, Logger } from '@baldur/health-core'
import { systemClock } from '@baldur/health-core/internal'
import { type RawRequestOptions, rawRequest } from 'health-testkit'
import { createQueue, type Queue } from '../queue/create-queue.ts'
import { createMemoryStore } from '../queue/memory-store.ts'
import type { QueueSettings } from '../settings/settings.ts'
import type { Exchange } from '../vocabulary/exchange.ts'
import type { QueueStore } from '../vocabulary/queue-store.ts'
import { plainExchange } from './plain-exchange.ts'
import { type TurnFleet, turnFleet } from './turn-fleet.ts'

/** What a runner of the test was given. */
export interface Seen {
  readonly id: string
  readonly attempt: number
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export type Runner = (seen: Seen, response: ServerResponse) => void

interface Options {
  readonly settings?: Partial<QueueSettings>
  readonly runners?: number
  /** Ports where nobody listens, taken before the runners. */
  readonly deadPorts?: readonly number[]
  readonly clock?: Clock
  readonly store?: (usual: QueueStore) => QueueStore
  /** @default over plain `node:http` */
  readonly exchange?: Exchange
  /** @default a server that asks the queue alone */
  readonly front?: (queue: Queue, parts: { readonly fleet: TurnFleet; readonly logger: Logger }) => Server
  /** Whether runners are given requests from the start. @default true */
  readonly isStarted?: boolean
}

type RawAnswer = Awaited<ReturnType<typeof rawRequest>>

export interface QueueUnderTest {
  readonly queue: Queue
  readonly fleet: TurnFleet
  readonly port: number
  /** In order of arrival, on all runners. */
  readonly seen: readonly Seen[]
  /** The most requests of one id that ran at the same time. */
  readonly together: ReadonlyMap<string, number>
  readonly lines: readonly string[]
  ask(method: string, path: string, more?: Partial<RawRequestOptions>): Promise<RawAnswer>
  /** Puts a request into the queue, which has to take it in, and gives its id. */
  add(path: string, headers?: Readonly<Record<string, string>>, body?: string | Uint8Array): Promise<string>
  /** Waits for the recorded result. */
  result(id: string): Promise<RawAnswer>
  close(): Promise<void>
}

const SETTINGS: QueueSettings = {
  max: 1_000,
  maxBodyBytes: 100_000,
  maxAnswerBytes: 100_000,
  maxKeptBytes: 10_000_000,
  keepForMs: 60_000,
  attempts: 4,
  backoffMs: 10,
  maxBackoffMs: 40,
  keepHeaders: new Set(),
  requestTimeoutMs: 5_000,
  store: undefined,
}

const listen = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Asks the queue, and for a body where the queue has not refused. */
function plainFront(queue: Queue): Server {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (queue.handle(request, response)) return
    response.writeHead(299, 'not of the queue').end()
  }
  const front = createServer(handle)
  front.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response)
    if (!response.headersSent) response.writeContinue()
  })
  return front
}

/** A queue behind a real server, with real servers as its runners. */
export async function queueUnderTest(runner: Runner, options: Options = {}): Promise<QueueUnderTest> {
  const { settings, runners = 1, deadPorts = [], clock = systemClock, isStarted = true } = options
  const { exchange = plainExchange } = options
  const seen: Seen[] = []
  const running = new Map<string, number>()
  const together = new Map<string, number>()
  const lines: string[] = []

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers, rawHeaders } = request
    const id = String(headers['x-baldur-request-id'])
    const now = (running.get(id) ?? 0) + 1
    running.set(id, now)
    together.set(id, Math.max(now, together.get(id) ?? 0))
    response.once('close', () => running.set(id, (running.get(id) ?? 0) - 1))
    const body = await bodyOf(request)
    const attempt = Number(headers['x-baldur-attempt'])
    const one: Seen = { id, attempt, method, url, headers, rawHeaders, body }
    seen.push(one)
    runner(one, response)
  }
  const servers = Array.from({ length: runners }, () =>
    createServer((request, response) => {
      serve(request, response).catch(() => response.destroy())
    }),
  )
  const ports = [...deadPorts, ...(await Promise.all(servers.map(listen)))]

  const whole = { ...SETTINGS, ...settings }
  const note = (line: string): void => void lines.push(line)
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const usual = createMemoryStore(whole, clock, logger)
  const fleet = turnFleet(ports)
  const store = options.store?.(usual) ?? usual
  const queue = createQueue(whole, { fleet, exchange, store, logger, clock, random: () => 0 })
  const front = options.front?.(queue, { fleet, logger }) ?? plainFront(queue)
  const port = await listen(front)
  if (isStarted) queue.start()

  const ask: QueueUnderTest['ask'] = (method, path, more = {}) => rawRequest({ port, method, path, ...more })
  return {
    queue,
    fleet,
    port,
    seen,
    together,
    lines,
    ask,
    add: async (path, headers = {}, body = '') => {
      const answer = await ask('POST', `/queue${path}`, { headers, body })
      if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.body}`)
      return (JSON.parse(answer.body) as { request_id: string }).request_id
    },
    result: async (id) => {
      for (;;) {
        const status = JSON.parse((await ask('GET', `/queue/requests/${id}/status`)).body) as {
          status: string
        }
        if (status.status === 'COMPLETED') return ask('GET', `/queue/requests/${id}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    close: async () => {
      await queue.close()
      for (const server of [front, ...servers]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
