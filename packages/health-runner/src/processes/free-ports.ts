import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

export const RUNNER_HOST = '127.0.0.1'

/**
 * Below the usual range of outgoing connections (Linux from 32 768, macOS and Windows from 49 152). A runner listens some tenths of a
 * second after its port was chosen; a connection of a client must not have taken it by then.
 */
const PORTS = { lowest: 20_000, highest: 32_767 } as const
const ATTEMPTS = 100

/** Ports for runners, each for one at a time. */
export interface FreePorts {
  /** One that nobody listens on now. Rejects when it finds none. */
  take(): Promise<number>
  release(port: number): void
}

export function createFreePorts(): FreePorts {
  const taken = new Set<number>()
  return {
    take: async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const port = randomInt(PORTS.lowest, PORTS.highest + 1)
        // one that starts has not opened its own yet
        if (taken.has(port)) continue
        if (!(await canListen(port)) || taken.has(port)) continue
        taken.add(port)
        return port
      }
      const range = `${PORTS.lowest} to ${PORTS.highest}`
      throw new Error(`no port for a runner: ${ATTEMPTS} tries from ${range} found none free`)
    },
    release: (port) => taken.delete(port),
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, RUNNER_HOST), 'listening')
  } catch (error) {
    // somebody has it, or only root may have it: any other failure is that of every port
    if (['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
