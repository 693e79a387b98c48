import { once } from 'node:events'

// Fastify’s own
const KEEP_ALIVE_MS = 72_000

/** Listens on a free loopback port, with idle connections kept as long as Fastify keeps them. */
export async function listen(server) {
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
