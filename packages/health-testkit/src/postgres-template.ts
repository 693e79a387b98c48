import { join } from 'node:path'
import { type DataTemplate, dataTemplate } from './data-template.ts'
import type { Keeper } from './keeper.ts'
import type { PostgresInstallation } from './postgres-installation.ts'

const INITDB_ARGS = [
  '-U',
  'postgres',
  '-A',
  'trust',
  '-E',
  'UTF8',
  '--locale=C',
  '--no-sync',
  '--no-instructions',
]
const SMALL_WAL_ARGS = ['--wal-segsize=1'] // 1 MB: the copies become smaller

/** A folder made by `initdb`. */
export function postgresTemplate(keeper: Keeper, { bin, user }: PostgresInstallation): DataTemplate {
  return dataTemplate(keeper, {
    name: 'template',
    user,
    fill: (dir) => ({
      command: join(bin, 'initdb'),
      args: ['-D', dir, ...INITDB_ARGS, ...SMALL_WAL_ARGS],
    }),
  })
}
