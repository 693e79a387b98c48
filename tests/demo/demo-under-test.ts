import { fileURLToPath } from 'node:url'
import { rawRequest, type SpawnedApp, spawnApp, type TimedResponse } from 'health-testkit'
import { afterEach, expect } from 'vitest'

type Env = Readonly<Record<string, string>>

interface RequestParts {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A demo as a user would start it, the built program: one process at a time, stopped after its test. */
export interface DemoUnderTest {
  /** With these variables and no other; resolves once a line matches. */
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
}

export function demoUnderTest(name: string): DemoUnderTest {
  const args = [fileURLToPath(new URL(`../../apps/${name}/dist/server.js`, import.meta.url))]
  let app: SpawnedApp | undefined
  let port = 0
  afterEach(async () => {
    await app?.stop()
    app = undefined
  })

  const spawn: DemoUnderTest['spawn'] = async (env, readyPattern) => {
    app = await spawnApp({ args, env, timeoutMs: 20_000, ...(readyPattern && { readyPattern }) })
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
  }
}
