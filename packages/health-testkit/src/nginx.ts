import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { theKeeper } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import { programFile } from './programs.ts'
import { type AppExit, spawnApp } from './spawn-app.ts'

export interface NginxOptions {
  /** Ports of the servers behind it. */
  readonly servers: readonly number[]
  /** Failures after which a server is left out for a while; 0 for never. @default 1, nginx's own */
  readonly maxFails?: number
  /** Idle connections to the servers that each worker keeps. @default 64 */
  readonly keepalive?: number
  /** @default 1 */
  readonly workers?: number
}

/** One request, as nginx saw it. */
export interface NginxAccess {
  readonly method: string
  readonly target: string
  /** What the client got. */
  readonly status: number
  /** What each server that was tried answered; nginx says 502 for one that refused. */
  readonly upstream: readonly number[]
}

/** An nginx of one's own: loopback only, gone with the program that started it. */
export interface PrivateNginx {
  readonly port: number
  readonly pid: number
  readonly version: string
  /** Its error log from the level `warn` on. */
  errors(): readonly string[]
  /** The requests that have ended. */
  accesses(): Promise<readonly NginxAccess[]>
  /** At once: open connections are cut. */
  stop(): Promise<AppExit>
}

const STOP_MS = 2000

/** Starts nginx in front of servers, with connections to them kept alive; resolves once it accepts connections, rejects with its output when it does not start. */
export async function startNginx(options: NginxOptions): Promise<PrivateNginx> {
  const command = programFile('nginx')
  const folder = mkdtempSync(join((await theKeeper()).folder, 'nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  // its workers run as nobody unless told otherwise, who cannot write here
  const user = process.getuid?.() === 0 ? 'root' : undefined
  writeFileSync(file, nginxConfig({ ...options, port, folder, user }))

  const app = await spawnApp({
    command,
    args: ['-e', 'stderr', '-p', folder, '-c', file],
    cwd: folder,
    // the listening socket is older than the first worker
    readyPattern: /start worker process \d/,
  }).catch(async (error) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  return {
    port,
    pid: app.pid,
    version: versionOf(command),
    errors: () => app.stderr.filter((line) => !/\[(?:debug|info|notice)\]/.test(line)),
    accesses: async () => readAccesses(await readFile(join(folder, 'access.log'), 'utf8')),
    async stop() {
      const exit = await app.stop({ graceMs: STOP_MS })
      await rm(folder, { recursive: true, force: true })
      return exit
    },
  }
}

/** Lines of an `http` block that keep its temporary files in a folder: the usual ones belong to root. */
export function nginxPaths(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n')
}

/** The configuration in nginx's words. */
export function nginxConfig({
  servers,
  maxFails = 1,
  keepalive = 64,
  workers = 1,
  port,
  folder,
  user,
}: NginxOptions & {
  readonly port: number
  readonly folder: string
  readonly user: string | undefined
}): string {
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
worker_processes ${workers};
${user === undefined ? '' : `user ${user};`}
events {
  worker_connections 1024;
}
http {
${nginxPaths(folder)}
  log_format upstream '$request_method $request_uri $status $upstream_status';
  access_log ${folder}/access.log upstream;
  upstream servers {
${servers.map((server) => `    server 127.0.0.1:${server} max_fails=${maxFails};`).join('\n')}
    keepalive ${keepalive};
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://servers;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`
}

/** Reads the access log of `nginxConfig`: several servers were tried where several statuses stand at the end. */
export function readAccesses(log: string): readonly NginxAccess[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [method = '', target = '', status, ...upstream] = line.split(' ')
      return {
        method,
        target,
        status: Number(status),
        upstream: upstream.map((text) => Number.parseInt(text, 10)),
      }
    })
}

function versionOf(command: string): string {
  const { stderr } = spawnSync(command, ['-v'], { encoding: 'utf8', env: minimalEnv() })
  return /nginx\/(\S+)/.exec(stderr)?.[1] ?? 'unknown'
}
