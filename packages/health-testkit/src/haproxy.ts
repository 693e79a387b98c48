import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { type HaproxyStats, haproxyStats } from './haproxy-stats.ts'
import { theKeeper } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import { programFile } from './programs.ts'
import { type AppExit, spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

export interface HaproxyOptions {
  readonly servers: readonly { readonly name: string; readonly port: number }[]
  /** Asked with OPTIONS, as `option httpchk` does by itself. */
  readonly checkPath: string
  /** Between two checks of a server, in milliseconds. @default 2000, HAProxy's own */
  readonly interMs?: number
  /** How long a server may take to answer a check, in milliseconds; a busy one takes a while. @default as long as `interMs`, HAProxy's own */
  readonly checkTimeoutMs?: number
  /** Failed checks that take a server out. @default 3, HAProxy's own */
  readonly fall?: number
  /** Passed checks that bring it back. @default 2, HAProxy's own */
  readonly rise?: number
  /** Further attempts where a connection could not be made. @default 3, HAProxy's own */
  readonly retries?: number
  /** Whether a client's first request may go on a connection that is open to the server. @default 'safe', HAProxy's own */
  readonly reuse?: 'never' | 'safe' | 'aggressive' | 'always'
}

/** A HAProxy of one's own: loopback only, gone with the program that started it. */
export interface PrivateHaproxy {
  readonly port: number
  readonly pid: number
  readonly version: string
  /** What it said; of requests, those alone that failed or were retried. */
  readonly lines: readonly string[]
  stats(): Promise<HaproxyStats>
  /** Resolves once every server, or the one named, is up. */
  untilUp(name?: string, options?: { timeoutMs?: number }): Promise<void>
  /** At once: open connections are cut. */
  stop(): Promise<AppExit>
}

const STOP_MS = 2000

/** Starts HAProxy in front of servers; resolves once it accepts connections, rejects with its output when it does not start. */
export async function startHaproxy(options: HaproxyOptions): Promise<PrivateHaproxy> {
  const command = programFile('haproxy')
  const folder = mkdtempSync(join((await theKeeper()).folder, 'haproxy-'))
  const [port, statsPort] = [await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, haproxyConfig({ ...options, port, statsPort }))

  // -db: in the foreground, and one process, whatever the configuration says
  const app = await spawnApp({ command, args: ['-db', '-f', file], cwd: folder })
  const stop: PrivateHaproxy['stop'] = async () => {
    const exit = await app.stop({ graceMs: STOP_MS })
    await rm(folder, { recursive: true, force: true })
    return exit
  }
  const failed = app.exited.then(({ code }) => {
    throw new Error(`HAProxy ended with ${code}:\n${app.lines.join('\n')}`)
  })
  failed.catch(() => {}) // it will be stopped one day
  const stats: PrivateHaproxy['stats'] = () => haproxyStats(statsPort)
  const answers = until(stats, { timeoutMs: 10_000, message: 'HAProxy to answer' })
  await Promise.race([answers, failed]).catch(async (error) => {
    answers.catch(() => {})
    await stop()
    throw error
  })

  return {
    port,
    pid: app.pid,
    version: versionOf(command),
    lines: app.lines,
    stats,
    async untilUp(name, { timeoutMs = 10_000 } = {}) {
      const message = `HAProxy to see ${name ?? 'every server'} up`
      const isUp = async (): Promise<boolean> =>
        Object.entries((await stats()).servers).every(
          ([server, { status }]) => (name !== undefined && server !== name) || status === 'UP',
        )
      await until(isUp, { timeoutMs, message })
    },
    stop,
  }
}

/** The configuration in HAProxy's words. */
export function haproxyConfig({
  servers,
  checkPath,
  interMs = 2000,
  checkTimeoutMs,
  fall = 3,
  rise = 2,
  retries = 3,
  reuse = 'safe',
  port,
  statsPort,
}: HaproxyOptions & { readonly port: number; readonly statsPort: number }): string {
  return `
global
  # TCP: the path of a UNIX socket in a temporary folder can be too long
  stats socket ipv4@127.0.0.1:${statsPort} level user
  log stdout format raw local0

defaults
  mode http
  log global
  option httplog
  option dontlog-normal
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  ${checkTimeoutMs === undefined ? '' : `timeout check ${checkTimeoutMs}ms`}
  retries ${retries}

frontend clients
  bind 127.0.0.1:${port}
  default_backend servers

backend servers
  balance roundrobin
  http-reuse ${reuse}
  option httpchk OPTIONS ${checkPath}
  default-server check inter ${interMs}ms fall ${fall} rise ${rise}
${servers.map((server) => `  server ${server.name} 127.0.0.1:${server.port}`).join('\n')}
`
}

function versionOf(command: string): string {
  const { stdout } = spawnSync(command, ['-v'], { encoding: 'utf8', env: minimalEnv() })
  return /version (\S+)/.exec(stdout)?.[1] ?? 'unknown'
}
