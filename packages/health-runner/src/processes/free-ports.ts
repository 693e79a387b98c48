import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

export const RUNNER_HOST = '127.0.0.1'

/**
 * Below the range from which systems take the ports of outgoing connections (Linux from 32 768, macOS and Windows from 49 152): a runner
 * listens some tenths of a second after its port was chosen, and a client's connection must not have it by then.
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
        taken.add(port)
        if (await canListen(port)) return port
        taken.delete(port)
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
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
