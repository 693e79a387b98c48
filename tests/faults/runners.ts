import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunnerEvent, type Runners, type RunnersOptions, startRunners } from '@baldur/health-runner'
import { rawRequest, type TimedResponse, until } from 'health-testkit'
import { onTestFinished } from 'vitest'

export const APP: string = fileURLToPath(new URL('runner-app.mjs', import.meta.url))

export interface Started extends Runners {
  readonly events: RunnerEvent[]
  readonly lines: string[]
  /** Every request that a runner began: id, attempt, pid and path. */
  begun(): readonly (readonly [id: string, attempt: string, pid: string, path: string])[]
  /** A file that makes every runner answer 503 while it is there; with `-<pid>` at its end, that one. */
  readonly illFile: string
  /** The pids of the processes that are ready. */
  ready(): Promise<readonly number[]>
  request(
    path: string,
    options?: {
      readonly method?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    },
  ): Promise<TimedResponse>
}

/** Starts runners that end with the test, and waits until they are ready. */
export async function start(
  options: Partial<RunnersOptions> & { readonly wait?: boolean } = {},
): Promise<Started> {
  const { wait = true, runnerEnv, runners = 1, ...others } = options
  const folder = mkdtempSync(join(tmpdir(), 'runners-'))
  const [log, illFile] = [join(folder, 'begun'), join(folder, 'ill')]
  const lines: string[] = []
  const say = (...words: unknown[]): void => void lines.push(words.map(String).join(' '))
  const started = await startRunners({
    command: APP,
    port: 0,
    runners,
    env: {},
    logger: { debug: say, info: say, warn: say, error: say },
    ...others,
    runnerEnv: { RUNNER_LOG: log, RUNNER_ILL: illFile, ...runnerEnv },
  })
  onTestFinished(async () => {
    await started.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const events: RunnerEvent[] = []
  started.on('runner', (event) => events.push(event))
  const ready = async (): Promise<readonly number[]> =>
    (await started.snapshot()).fleet.runners
      .filter(({ state }) => state === 'idle' || state === 'running')
      .map(({ pid = 0 }) => pid)
  if (wait)
    await until(async () => (await ready()).length === runners, { timeoutMs: 20_000, message: 'all runners' })
  // how they came is told by what the test waits for
  if (wait) events.length = 0
  return {
    ...started,
    events,
    lines,
    illFile,
    ready,
    begun: () => {
      try {
        return readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.split(' ') as unknown as readonly [string, string, string, string])
      } catch {
        // nothing began, so nothing was written
        return []
      }
    },
    request: (path, { method = 'GET', headers = {}, body } = {}) =>
      rawRequest({
        port: started.port,
        path,
        method,
        headers,
        timeoutMs: 30_000,
        ...(body === undefined ? {} : { body }),
      }),
  }
}

interface Accepted {
  readonly id: string
  result(): Promise<TimedResponse>
  status(): Promise<{ readonly status: string; readonly queue_position?: number }>
}

/** Puts a request into the queue. */
export async function enqueue(
  { request }: Started,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Accepted> {
  const answer = await request(`/queue${path}`, { method: 'POST', body: '', ...options })
  if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.body}`)
  const { request_id: id } = JSON.parse(answer.body) as { request_id: string }
  const at = `/queue/requests/${id}`
  const status: Accepted['status'] = async () => JSON.parse((await request(`${at}/status`)).body)
  return {
    id,
    status,
    result: async () => {
      await until(async () => (await status()).status === 'COMPLETED', { timeoutMs: 60_000, everyMs: 20 })
      return request(at)
    },
  }
}

/** The values of a header. */
export const headerOf = (
  { rawHeaders }: Pick<TimedResponse, 'rawHeaders'>,
  name: string,
): readonly string[] => rawHeaders.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
