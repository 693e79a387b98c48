import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Resolves with the address when the server listens; rejects when it cannot, naming where. */
export function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message
      reject(Object.assign(new Error(`cannot listen on ${host}:${port}: ${why}`), { code: error.code }))
    }
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })
}
