import type { MysqlDriver } from './driver.ts'

/**
 * The settings of our connection, from those of the pool or of the options: a copy for each connection, since a driver
 * changes them, and without its timeouts, since the run has its own.
 */
export function configFor(config: object): object {
  const copy = Object.create(Object.getPrototypeOf(config), Object.getOwnPropertyDescriptors(config)) as {
    connectAttributes?: object
  }
  return Object.assign(copy, {
    pool: undefined,
    // its timer would keep the process alive
    connectTimeout: 0,
    enableKeepAlive: true,
    connectAttributes: { ...copy.connectAttributes, program_name: 'baldur-health' },
  })
}

/** Reads options or a URL as the driver does; it writes into what it is given, so it gets a copy. */
export const readConfig = ({ ConnectionConfig }: MysqlDriver, source: string | object): object =>
  new ConnectionConfig(typeof source === 'string' ? source : { ...source })
