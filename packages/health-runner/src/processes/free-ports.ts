import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export const RUNNER_HOST = '127.0.0.1'

/** Ports for runners, each for one at a time. */
export interface FreePorts {
  /** One that nobody listens on now. Rejects when the system gives none. */
  take(): Promise<number>
  release(port: number): void
}

export function createFreePorts(): FreePorts {
  const taken = new Set<number>()
  const anyPort = async (): Promise<number> => {
    const server = createServer()
    await once(server.listen(0, RUNNER_HOST), 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  }
  return {
    take: async () => {
      let port = await anyPort()
      // one that starts has not opened its own yet
      while (taken.has(port)) port = await anyPort()
      taken.add(port)
      return port
    },
    release: (port) => taken.delete(port),
  }
}
