import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { DataTemplate } from './data-template.ts'
import { freePort } from './free-port.ts'
import { holdsData } from './holds-data.ts'
import { type Keeper, theKeeper } from './keeper.ts'
import { type PostgresInstallation, postgresInstallation } from './postgres-installation.ts'
import { postgresTemplate } from './postgres-template.ts'
import { postmasterFile } from './postmaster-file.ts'
import { type PrivateServer, privateServer } from './private-server.ts'
import { runPostgres } from './run-postgres.ts'
import { writeCertificate } from './write-certificate.ts'

export interface PostgresOptions {
  /** @default a free one */
  port?: number
  /** A data folder to start on, filled first when absent or empty; it stays when the server stops. @default a temporary one */
  dir?: string
  /** Offers TLS with this certificate, in PEM. @default no TLS */
  tls?: { readonly key: string; readonly cert: string }
  /** Server settings, on top of those that make it fast and small. */
  settings?: Record<string, string>
}

/** A PostgreSQL server of one's own: user `postgres`, no password, loopback only, gone with the program that started it. */
export interface PrivatePostgres extends PrivateServer {
  /** How many clients are connected. */
  connections(): Promise<number>
}

interface Workshop {
  installation: PostgresInstallation
  template: DataTemplate
  servers: number
}

const workshops = new WeakMap<Keeper, Workshop>()

/** Starts a private server; resolves once it accepts connections. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PrivatePostgres> {
  if (process.platform === 'win32') throw new Error('startPostgres needs POSIX signals, which Windows lacks')
  const keeper = await theKeeper()
  const workshop = workshopOf(keeper)
  workshop.servers += 1
  const dir = options.dir ?? join(keeper.folder, `data-${workshop.servers}`)
  const port = options.port ?? (await freePort())
  const settings = { ...(options.tls === undefined ? {} : { ssl: 'on' }), ...options.settings }
  const run = () => runPostgres(keeper, workshop.installation, { dir, port, settings })

  if (!holdsData(dir)) await workshop.template.copyTo(dir)
  if (options.tls !== undefined) writeCertificate(dir, options.tls)
  const [server, current] = await privateServer({
    keeper,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    dir,
    isGiven: options.dir !== undefined,
    endSignal: 'SIGINT',
    run,
    afterCrash: () => dropSharedMemory(dir),
  })
  return Object.assign(server, {
    connections: async () => {
      const titles = await current().titles()
      return titles.filter((title) => /^postgres: .* 127\.0\.0\.1\(\d+\)/.test(title)).length
    },
  })
}

function workshopOf(keeper: Keeper): Workshop {
  const known = workshops.get(keeper)
  if (known !== undefined) return known
  const installation = postgresInstallation(keeper.folder)
  const workshop = { installation, template: postgresTemplate(keeper, installation), servers: 0 }
  workshops.set(keeper, workshop)
  return workshop
}

/** A restart would remove the segment that a killed server leaves; but there may be none. */
function dropSharedMemory(dir: string): void {
  const id = postmasterFile(dir)?.sharedMemoryId
  if (id !== undefined) spawnSync('ipcrm', ['-m', id])
}
