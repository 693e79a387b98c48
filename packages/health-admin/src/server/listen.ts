import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { isLoopback } from '../rules/host-name.ts'

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another server (port 0 picks a free one)',
  EACCES: 'may not be listened on by this user (ports below 1024 usually not)',
  EADDRNOTAVAIL: 'cannot be listened on: this machine does not have the address',
  ENOTFOUND: 'cannot be listened on: the name is not known',
}

/** What listens everywhere is found here. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const authority = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`

/** Listens, and gives where. Rejects with an error that names the address and the port; the cause is Node's own. */
export async function listen(
  server: Server,
  {
    host,
    port,
    mustBeLoopback,
  }: { readonly host: string; readonly port: number; readonly mustBeLoopback: boolean },
): Promise<string> {
  try {
    // workers of a cluster would share it, and each answer be another worker's
    await once(server.listen({ port, host, exclusive: true }), 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const why = REASONS[code] ?? `cannot be listened on (${code === '' ? 'unknown reason' : code})`
    throw Object.assign(new Error(`admin: port ${port} on ${host} ${why}`, { cause: error }), { code })
  }
  const bound = server.address() as AddressInfo
  if (mustBeLoopback && !isLoopback(bound.address)) {
    // a hosts file can say that localhost is anything
    server.close()
    throw new Error(`admin: ${host} is ${bound.address}, which is not loopback, and no operatorKey is set`)
  }
  return `http://${authority(EVERYWHERE[bound.address] ?? host, bound.port)}`
}
