import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type openOrders, readInt, readItem } from 'demo-orders'
import { readJson } from './read-json.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

const ok = (body: unknown): Answer => ({ status: 200, body })

/** Blocks the whole process, as a computation that went wrong does. */
const block = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** The orders on `node:http`, and ways to make a runner ill. */
export function ordersListener(orders: ReturnType<typeof openOrders>, healthPrefix: string): RequestListener {
  const runner = process.env.BALDUR_RUNNER_NAME ?? 'by hand'

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://runner')
    const ms = (): number => readInt('ms', searchParams.get('ms') ?? '1000', 0, 60_000)
    const [, code] = /^\/status\/([^/]+)$/.exec(pathname) ?? []
    if (request.method === 'POST' && pathname === '/orders')
      return { status: 201, body: await orders.add(readItem(await readJson(request))) }
    // of HEAD Node leaves the body away
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return { status: 404, body: { error: 'not found' } }
    if (code !== undefined) {
      const status = readInt('code', code, 200, 599)
      return { status, body: { status, runner } }
    }
    switch (pathname) {
      case '/':
        return ok({ service: 'orders', runner, pid: process.pid, health: `${healthPrefix}/health` })
      case '/orders':
        return ok(await orders.list())
      case '/slow': {
        const waited = ms()
        await wait(waited)
        return ok({ waited_ms: waited, runner })
      }
      case '/stall': {
        const blocked = ms()
        block(blocked)
        return ok({ blocked_ms: blocked, runner })
      }
      case '/crash':
        return process.exit(70)
      default:
        return { status: 404, body: { error: 'not found' } }
    }
  }
  const send = (response: ServerResponse, { status, body }: Answer): void => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }
  return (request, response) => {
    answer(request).then(
      (given) => send(response, given),
      (error: Error & { status?: number }) => {
        // the database's errors are the ones without a status: 504, since it is ill and not this process, which 503 would end
        const { status = 504 } = error
        const told = error.status === undefined ? 'the orders are not available' : error.message
        send(response, { status, body: { error: told } })
      },
    )
  }
}
