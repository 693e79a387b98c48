import {
  type RawConnection,
  rawConnection,
  rawRequest,
  type SpawnedApp,
  spawnApp,
  type TimedResponse,
  until,
} from 'health-testkit'
import { type afterAll, afterEach, expect } from 'vitest'
import { demoProgram } from '../demo-program.ts'

type Env = Readonly<Record<string, string>>

interface RequestParts {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Where these variables say nothing else: how long a demo serves on after its signal. */
export const DELAY_MS = 500
/** From the end of the delay to the exit, where nothing is in flight, on a busy machine too: less than the 3 s that a hook which hangs would take, and than the 5 s for which Node.js keeps an idle connection. */
export const EXIT_MS = 2_500

/** A request as it goes over the wire. */
export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

export const ORDER = '{"item":"lamp"}'
/** A request that is in flight for as long as its body does not come. */
export const POST_HEAD = `POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${ORDER.length}\r\n\r\n`

/** A demo as a user would start it, the built program: one process at a time, killed after its test or, with `afterAll`, after all. */
export interface DemoUnderTest {
  /** With these variables, a short delay and nothing else; resolves once a line matches. */
  spawn(env: Env, readyPattern?: RegExp): Promise<SpawnedApp>
  /** On a free port; resolves once it listens. */
  start(env: Env): Promise<SpawnedApp>
  /** What it says when it does not start: exit code 1, and words on stderr that are no stack. */
  refusal(env: Env): Promise<string>
  /** Of the one that was started last. */
  readonly port: number
  /** A body goes as JSON. */
  send(path: string, parts?: RequestParts): Promise<TimedResponse>
  /** Sends, and reads the answer's JSON. */
  get(path: string, parts?: RequestParts): Promise<{ status: number; body: unknown }>
  /** A connection on which this has been sent, and read by the demo: it serves a later one. */
  sent(text: string): Promise<RawConnection>
  isRefusing(): Promise<boolean>
  /** Resolves once answers tell their clients to move away: the signal has been taken, which may be a request later than it was sent. */
  draining(): Promise<void>
}

export function demoUnderTest(
  name: string,
  ending: typeof afterEach | typeof afterAll = afterEach,
): DemoUnderTest {
  const program = demoProgram(name)
  let app: SpawnedApp | undefined
  let port = 0
  ending(async () => {
    // how it ends by itself has tests of its own
    await app?.stop({ graceMs: 0 })
    app = undefined
  })

  const spawn: DemoUnderTest['spawn'] = async (env, readyPattern) => {
    const delay = { BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS: String(DELAY_MS / 1_000) }
    app = await spawnApp({
      args: program.args,
      env: { ...program.env, ...delay, ...env },
      timeoutMs: 20_000,
      ...(readyPattern && { readyPattern }),
    })
    return app
  }
  const send: DemoUnderTest['send'] = (path, { headers = {}, ...more } = {}) => {
    const type = more.body === undefined ? {} : { 'content-type': 'application/json' }
    return rawRequest({ port, path, headers: { ...type, ...headers }, ...more, timeoutMs: 10_000 })
  }

  return {
    spawn,
    send,
    async start(env) {
      const demo = await spawn({ PORT: '0', ...env }, /^listening on http:\/\/127\.0\.0\.1:(\d+)$/)
      port = Number(demo.ready?.[1])
      return demo
    },
    async refusal(env) {
      const demo = await spawn({ PORT: '0', ...env })
      expect(await demo.exited).toMatchObject({ code: 1 })
      expect(demo.lines.join('\n')).not.toMatch(/listening|^\s+at /m)
      return demo.stderr.join('\n')
    },
    get port() {
      return port
    },
    async get(path, parts) {
      const { status, body } = await send(path, parts)
      return { status, body: body === '' ? '' : JSON.parse(body) }
    },
    async sent(text) {
      const connection = await rawConnection({ port })
      connection.send(text)
      await send('/')
      return connection
    },
    isRefusing: () =>
      rawConnection({ port }).then(
        (connection) => {
          connection.close()
          return false
        },
        () => true,
      ),
    async draining() {
      const headers = { connection: 'keep-alive' }
      await until(async () => (await send('/', { headers })).header('connection') === 'close', { everyMs: 1 })
    },
  }
}
