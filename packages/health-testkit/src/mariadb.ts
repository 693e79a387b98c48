import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { DataTemplate } from './data-template.ts'
import { freePort } from './free-port.ts'
import { type Keeper, theKeeper } from './keeper.ts'
import { mariadbTemplate, ownTemporary, SMALL } from './mariadb-template.ts'
import { minimalEnv } from './minimal-env.ts'
import { type PrivateServer, privateServer } from './private-server.ts'
import { programFile } from './programs.ts'
import { runServer } from './run-server.ts'
import { serverUser } from './server-user.ts'
import { writeCertificate } from './write-certificate.ts'

export interface MariadbOptions {
  /** @default a free one */
  port?: number
  /** Offers TLS with this certificate, in PEM. @default no TLS */
  tls?: { readonly key: string; readonly cert: string }
  /** Server settings, on top of those that make it fast and small. */
  settings?: Readonly<Record<string, string>>
}

interface Workshop {
  readonly command: string
  readonly template: DataTemplate
}

const workshops = new WeakMap<Keeper, Workshop>()

/** Starts a MariaDB of one's own on loopback: user `root`, no password, the database `test`, gone with the program that started it; resolves once it accepts connections. */
export async function startMariadb(options: MariadbOptions = {}): Promise<PrivateServer> {
  const keeper = await theKeeper()
  const { command, template } = workshopOf(keeper)
  const port = options.port ?? (await freePort())
  const dir = mkdtempSync(join(keeper.folder, 'mariadb-'))
  await template.copyTo(dir)
  const tls =
    options.tls === undefined
      ? {}
      : { 'ssl-cert': join(dir, 'server.crt'), 'ssl-key': join(dir, 'server.key') }
  if (options.tls !== undefined) writeCertificate(dir, options.tls)
  const settings = { 'bind-address': '127.0.0.1', port: String(port), ...tls, ...options.settings }
  const spec = {
    command,
    args: [
      ...SMALL,
      `--datadir=${dir}`,
      ...ownTemporary(dir),
      // the path of a socket in a temporary folder can be too long
      '--socket=',
      '--skip-name-resolve',
      // the ready line in English
      '--lc-messages=en_US',
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ],
    cwd: keeper.folder,
    env: minimalEnv(),
    ...serverUser(),
  }
  const [server] = await privateServer({
    keeper,
    url: `mysql://root@127.0.0.1:${port}/test`,
    port,
    dir,
    isGiven: false,
    endSignal: 'SIGTERM',
    run: () => runServer(keeper, spec, { what: `MariaDB (port ${port})`, ready: 'ready for connections' }),
  })
  return server
}

function workshopOf(keeper: Keeper): Workshop {
  const known = workshops.get(keeper)
  if (known !== undefined) return known
  const command = programFile('mariadbd')
  const workshop = { command, template: mariadbTemplate(keeper, command) }
  workshops.set(keeper, workshop)
  return workshop
}
