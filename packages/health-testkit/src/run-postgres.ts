import { join } from 'node:path'
import type { Keeper, KeptProcess } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import type { PostgresInstallation } from './postgres-installation.ts'
import { runServer } from './run-server.ts'

const READY = 'ready to accept connections'

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Nothing here has to survive a power cut.
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '30',
  shared_buffers: '32MB',
  // In the data folder and not in /dev/shm, where a killed server would leave it.
  dynamic_shared_memory_type: 'mmap',
  // The READY line has to arrive on stderr and in English.
  logging_collector: 'off',
  lc_messages: 'C',
}

/** Starts a server on a filled folder; resolves once it accepts connections, rejects with its log when it ends instead. */
export async function runPostgres(
  keeper: Keeper,
  { bin, user }: PostgresInstallation,
  { dir, port, settings }: { dir: string; port: number; settings: Record<string, string> },
): Promise<KeptProcess> {
  const configured = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const spec = {
    command: join(bin, 'postgres'),
    args: ['-D', dir, '-p', String(port), ...configured],
    cwd: keeper.folder,
    env: minimalEnv(),
    endSignal: 'SIGQUIT', // at once, but with its shared memory removed
    ...user,
  } as const

  return runServer(keeper, spec, { what: `PostgreSQL (${dir}, port ${port})`, ready: READY })
}
