import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DataTemplate, dataTemplate } from './data-template.ts'
import { freePort } from './free-port.ts'
import { holdsData } from './holds-data.ts'
import { type Keeper, type KeptProcess, theKeeper } from './keeper.ts'
import { type PostgresInstallation, postgresInstallation } from './postgres-installation.ts'
import { postmasterFile } from './postmaster-file.ts'
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
export interface PrivatePostgres {
  readonly url: string
  readonly port: number
  readonly dir: string
  /** Of the server that runs, or ran last. */
  readonly pid: number
  /** Stops all its processes where they are: connections stay open, TCP still connects, nothing answers; rejects when there is none. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Kills all its processes at once; the folder stays as they left it. */
  crash(): Promise<void>
  /** Starts it again on the same folder and port, also after `crash()` or `stop({ keepDir: true })`. */
  restart(): Promise<void>
  /** Shuts it down, breaking off what runs, and removes the folder unless it was given or is to be kept. */
  stop(options?: { keepDir?: boolean }): Promise<void>
  /** How many clients are connected. */
  connections(): Promise<number>
}

interface Workshop {
  installation: PostgresInstallation
  template: DataTemplate
  servers: number
}

const SHUTDOWN_MS = 5000
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
  const remove = async () => {
    if (options.dir === undefined) await rm(dir, { recursive: true, force: true })
  }

  if (!holdsData(dir)) await workshop.template.copyTo(dir)
  if (options.tls !== undefined) writeCertificate(dir, options.tls)
  let server = await run().catch(async (error) => {
    await remove()
    throw error
  })
  let removed = false

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    dir,
    get pid() {
      return server.pid
    },
    pause: () => server.pause(),
    resume: () => server.resume(),
    async crash() {
      await server.kill()
      dropSharedMemory(dir)
    },
    async restart() {
      if (removed)
        throw new Error('the server was stopped and its folder removed: stop it with { keepDir: true }')
      await shutDown(keeper, server)
      server = await run()
    },
    async stop({ keepDir = false } = {}) {
      await shutDown(keeper, server)
      if (keepDir) return
      removed = true
      await remove()
    },
    async connections() {
      const titles = await server.titles()
      return titles.filter((title) => /^postgres: .* 127\.0\.0\.1\(\d+\)/.test(title)).length
    },
  }
}

function workshopOf(keeper: Keeper): Workshop {
  const known = workshops.get(keeper)
  if (known !== undefined) return known
  const installation = postgresInstallation(keeper.folder)
  const workshop = { installation, template: dataTemplate(keeper, installation), servers: 0 }
  workshops.set(keeper, workshop)
  return workshop
}

async function shutDown(keeper: Keeper, server: KeptProcess): Promise<void> {
  await server.signal('SIGINT')
  await server.resume() // a paused server obeys only after this
  await keeper.hold(Promise.race([server.exited, sleep(SHUTDOWN_MS, undefined, { ref: false })]))
  await server.kill()
}

/** A restart would remove the segment that a killed server leaves; but there may be none. */
function dropSharedMemory(dir: string): void {
  const id = postmasterFile(dir)?.sharedMemoryId
  if (id !== undefined) spawnSync('ipcrm', ['-m', id])
}
