import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createPlain, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { spawnApp } from 'health-testkit'
import { onTestFinished } from 'vitest'

export const PROGRAM: string = fileURLToPath(
  new URL('../../packages/health-admin/dist/healthcheck.js', import.meta.url),
)

export interface Result {
  readonly code: number | null
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly ms: number
}

/** Runs the built program to its end. */
export async function healthcheck(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const app = await spawnApp({ args: [PROGRAM, ...args], env })
  const { code, ms } = await app.exited
  return { code, stdout: app.stdout, stderr: app.stderr, ms }
}

/** Listens on a port until the test is over; connections end with it. */
export async function listening<S extends Server>(server: S, host = '127.0.0.1', port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(port, host), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A server that writes this once it has been asked, and leaves the rest to `then`. */
export const says = (text: string, then: (socket: Socket) => void = (socket) => socket.end()): Server =>
  createPlain((socket) => {
    socket.once('data', () => {
      socket.write(text)
      then(socket)
    })
  })
