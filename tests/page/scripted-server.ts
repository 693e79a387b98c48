import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AdminState, HelloState } from '../../packages/health-admin/src/live/state.ts'
import { renderPage } from '../../packages/health-admin/src/page/render-page.ts'

/** `busy`: 503; `nothing`: none; `cut`: the connection ends; `html`: another server's page; `gateway`: a proxy's 503. */
type Answer = 'gateway' | 'stream' | 'busy' | 'nothing' | 'cut' | 'html'

/** An admin server whose every word is chosen: for what is hard to bring about for real. */
export interface ScriptedServer {
  readonly url: string
  readonly port: number
  /** Sends the state to all streams, and repeats it each second, as old as it is then. */
  say(state: AdminState): void
  /** Sends any other event, or an end, to all streams. */
  send(event: string, data: unknown): void
  endStreams(): void
  /** Keeps the streams open and says nothing more. */
  fallSilent(): void
  /** What `/events` answers from now on; with `cut` nothing else is answered either. */
  answer(how: Answer): void
  /** The key that is asked for from now on, or none. */
  rotate(key: string | undefined): void
  /** How many streams are open. */
  readonly streams: number
  /** Paths that were asked for, but for the page itself and its events. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

export interface Script {
  readonly role?: HelloState['role']
  /** Without it none is asked for. */
  readonly key?: string
  readonly port?: number
  /** Where it is mounted, as behind a proxy. @default '/' */
  readonly path?: string
}

export async function scriptedServer({
  role = 'none',
  key: firstKey,
  port = 0,
  path = '/',
}: Script = {}): Promise<ScriptedServer> {
  const page = renderPage()
  const streams = new Set<ServerResponse>()
  const asked: string[] = []
  let key = firstKey
  let [how, state, saidAt, isSilent]: [Answer, AdminState | undefined, number, boolean] = [
    'stream',
    undefined,
    0,
    false,
  ]

  const write = (stream: ServerResponse, event: string, data: unknown): void =>
    void stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const repeat = (): void => {
    if (state === undefined || isSilent) return
    for (const stream of streams) write(stream, 'state', aged(state, performance.now() - saidAt))
  }
  const timer = setInterval(repeat, 1_000)

  function events(request: IncomingMessage, response: ServerResponse): void {
    if (how === 'nothing') return
    if (how === 'cut') return void request.socket.destroy()
    if (how === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')
    if (how === 'busy') return void response.writeHead(503).end('{"status":"busy"}')
    if (how === 'gateway') return void response.writeHead(503).end('no upstream')
    if (key !== undefined && request.headers['x-baldur-admin-key'] !== key)
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    write(response, 'hello', { role })
    if (state !== undefined) write(response, 'state', aged(state, performance.now() - saidAt))
    streams.add(response)
    response.once('close', () => streams.delete(response))
  }

  const server = createServer((request, response) => {
    if (request.url === `${path}events`) return events(request, response)
    if (request.url === path) return void response.writeHead(200, page.headers).end(page.body)
    const isKeyed = request.headers['x-baldur-admin-key'] !== undefined
    asked.push(`${request.method} ${request.url}${isKeyed ? ' with a key' : ''}`)
    if (how === 'cut') return void request.socket.destroy()
    response.writeHead(ANSWERED.has(request.url ?? '') ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    port: address.port,
    asked,
    say(next) {
      ;[state, saidAt] = [next, performance.now()]
      repeat()
    },
    send(event, data) {
      for (const stream of streams) write(stream, event, data)
    },
    endStreams() {
      for (const stream of streams) stream.end()
    },
    fallSilent() {
      isSilent = true
    },
    answer(next) {
      how = next
    },
    rotate(next) {
      key = next
    },
    get streams() {
      return streams.size
    },
    async close() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const ANSWERED = new Set(['/liveness', '/control'])

/** The same state a while later. */
const aged = (state: AdminState, ms: number): AdminState => ({
  ...state,
  at: new Date(Date.parse(state.at) + ms).toISOString(),
  checks: state.checks.map((check) => ({
    ...check,
    ...(check.age_ms === undefined ? {} : { age_ms: check.age_ms + ms }),
    running_ms: check.running_ms === 0 ? 0 : check.running_ms + ms,
  })),
})
