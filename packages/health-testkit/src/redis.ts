import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { theKeeper } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import { type PrivateServer, privateServer } from './private-server.ts'
import { programFile } from './programs.ts'
import { runServer } from './run-server.ts'

export interface RedisOptions {
  /** @default a free one */
  port?: number
  /** Lines of its configuration; a list gives a setting several times: `{ user: ['app on >secret ~* +@all'] }`. */
  settings?: Readonly<Record<string, string | readonly string[]>>
  /** A sentinel instead of a server with data; say in `settings.sentinel` what it monitors. @default false */
  sentinel?: boolean
}

const SETTINGS = {
  bind: '127.0.0.1',
  // Nothing here has to survive.
  save: '""',
  appendonly: 'no',
  daemonize: 'no',
  logfile: '""',
  'enable-debug-command': 'local',
}
/** A sentinel knows few settings. */
const SENTINEL_SETTINGS = { bind: '127.0.0.1' }

/** Starts a Redis of one's own on loopback, gone with the program that started it; resolves once it accepts connections. */
export async function startRedis(options: RedisOptions = {}): Promise<PrivateServer> {
  const command = programFile('redis-server')
  const keeper = await theKeeper()
  const port = options.port ?? (await freePort())
  const dir = mkdtempSync(join(keeper.folder, 'redis-'))
  const file = join(dir, 'redis.conf')
  const usual = options.sentinel ? SENTINEL_SETTINGS : SETTINGS
  // the nodes' own port would be 10 000 above, whoever is there
  const bus =
    options.settings?.['cluster-enabled'] === 'yes' ? { 'cluster-port': String(await freePort()) } : {}
  writeFileSync(file, redisConfig({ ...usual, ...bus, port: String(port), dir, ...options.settings }))
  const spec = {
    command,
    args: [file, ...(options.sentinel ? ['--sentinel'] : [])],
    cwd: dir,
    env: minimalEnv(),
  }
  const ready = options.sentinel ? 'Sentinel ID is' : 'Ready to accept connections'
  const [server] = await privateServer({
    keeper,
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    isGiven: false,
    endSignal: 'SIGTERM',
    run: () => runServer(keeper, spec, { what: `Redis (port ${port})`, ready }),
  })
  return server
}

/** The configuration in Redis's words. */
export function redisConfig(settings: NonNullable<RedisOptions['settings']>): string {
  return Object.entries(settings)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name} ${value}\n`))
    .join('')
}
