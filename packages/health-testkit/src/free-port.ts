import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below every system's range for outgoing connections: while a server is down, the kernel hands its port to no client,
// and a client that keeps trying cannot end up connected to itself.
const LOWEST = 12_000
const HIGHEST = 30_000
const ATTEMPTS = 50

/** A loopback port that nobody listens on now, and that the kernel will not give away by itself. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await canListen(port)) return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST} in ${ATTEMPTS} attempts`)
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
