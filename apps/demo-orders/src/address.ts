import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'

interface Address {
  readonly host: string
  readonly port: number
}

/** Where `HOST` (127.0.0.1) and `PORT` say to listen, 0 for a free port. Throws when `PORT` is none. */
export function readAddress(env: NodeJS.ProcessEnv, usualPort: number): Address {
  // Node takes an empty host for every interface
  const host = env.HOST || '127.0.0.1'
  const text = env.PORT || String(usualPort)
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return { host, port }
  throw new Error(`PORT: expected 0 to 65535, got ${JSON.stringify(text)}`)
}

/** Listens and says where; rejects when it cannot, with the address in the message. */
export async function listen(server: Server, { host, port }: Address, healthPath: string): Promise<void> {
  await once(server.listen(port, host), 'listening')
  announce(server, host, healthPath)
}

/** Says where a server listens. */
export function announce(server: Server, host: string, healthPath: string): void {
  const { port } = server.address() as AddressInfo
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
  console.log(`listening on ${url}`)
  console.log(`health at ${url}${healthPath}, Ctrl-C ends it`)
}
