import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { theKeeper } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import { type PrivateServer, privateServer } from './private-server.ts'
import { programFile } from './programs.ts'
import { runServer } from './run-server.ts'

export interface PrometheusOptions {
  /** Its configuration, in YAML. */
  readonly config: string
  /** @default a free one */
  readonly port?: number
}

/** One series of an answer, with its value at that moment. */
export interface PrometheusSample {
  /** Its labels, `__name__` among them. */
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

export interface PrivatePrometheus extends PrivateServer {
  /** Evaluates an expression whose result is an instant vector; rejects with its words when it is wrong. */
  query(expression: string): Promise<readonly PrometheusSample[]>
}

/** Starts a Prometheus of one's own on loopback, gone with its data and with the program that started it; resolves once it answers. Its first scrape comes 5 s later, whatever the interval. */
export async function startPrometheus(options: PrometheusOptions): Promise<PrivatePrometheus> {
  const command = programFile('prometheus')
  const keeper = await theKeeper()
  const port = options.port ?? (await freePort())
  const dir = mkdtempSync(join(keeper.folder, 'prometheus-'))
  const file = join(dir, 'prometheus.yml')
  writeFileSync(file, options.config)
  const url = `http://127.0.0.1:${port}`
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const spec = { command, args, cwd: dir, env: minimalEnv() }
  const [server] = await privateServer({
    keeper,
    url,
    port,
    dir,
    isGiven: false,
    endSignal: 'SIGTERM',
    run: () =>
      runServer(keeper, spec, { what: `Prometheus (port ${port})`, ready: 'Server is ready to receive' }),
  })
  const query: PrivatePrometheus['query'] = async (expression) => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)
    const { data, error } = (await response.json()) as {
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] }
      error?: string
    }
    if (data === undefined) throw new Error(`Prometheus: ${error}`)
    return data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
  }
  // its own properties stay what they are: the pid changes with each start
  return Object.assign(server, { query })
}
