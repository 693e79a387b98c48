import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DataTemplate, dataTemplate } from './data-template.ts'
import type { Keeper } from './keeper.ts'
import { minimalEnv } from './minimal-env.ts'
import { serverUser } from './server-user.ts'

/** What makes a server small and fast; the layout of the files must be the same from the template on. */
export const SMALL: readonly string[] = [
  '--no-defaults',
  '--innodb-data-file-path=ibdata1:3M:autoextend',
  '--innodb-autoextend-increment=1',
  '--innodb-temp-data-file-path=ibtmp1:1M:autoextend',
  '--innodb-buffer-pool-size=8M',
  '--innodb-log-file-size=4M',
  // Nothing here has to survive a power cut.
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--skip-innodb-doublewrite',
  '--innodb-use-native-aio=0',
  '--performance-schema=OFF',
]

/** A server that starts removes the temporary tables that it finds: in a folder that several share, those of another too. */
export const ownTemporary = (dir: string): readonly string[] => [`--tmpdir=${dir}`]

const TABLES = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql']

/**
 * A folder with the system tables, made by the server itself from the statements that it comes with: Debian's
 * `mariadb-install-db` needs a program of another package.
 */
export function mariadbTemplate(keeper: Keeper, command: string): DataTemplate {
  const statements = join(keeper.folder, 'mariadb.sql')
  const folder = statementsFolder(command)
  const text = TABLES.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  writeFileSync(statements, `CREATE DATABASE mysql;\nCREATE DATABASE test;\nUSE mysql;\n${text}\n`)
  chmodSync(statements, 0o644)
  return dataTemplate(keeper, {
    name: 'mariadb-template',
    user: serverUser(),
    fill: (dir) => ({
      command: 'sh',
      args: [
        '-c',
        'exec "$@" < "$0"',
        statements,
        command,
        ...SMALL,
        '--bootstrap',
        `--datadir=${dir}`,
        ...ownTemporary(dir),
      ],
    }),
  })
}

/** They lie beside the folder of character sets, which the server tells. */
function statementsFolder(command: string): string {
  const { stdout } = spawnSync(command, ['--no-defaults', '--verbose', '--help'], {
    encoding: 'utf8',
    env: minimalEnv(),
  })
  const charsets = /^character-sets-dir\s+(\S+)/m.exec(stdout ?? '')?.[1]
  if (charsets === undefined)
    throw new Error(`${command} does not say where its files are: is it a MariaDB server?`)
  return dirname(charsets)
}
