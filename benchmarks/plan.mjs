/** How long everything takes: about three minutes, or about forty seconds with `--quick`. */
export const FULL = {
  cost: { rounds: 5, slices: 8, sliceMs: 60, warmUpMs: 600, connections: 50 },
  statements: { perSecond: 1000, count: 5000 },
  frozen: { perSecond: 50, count: 200, giveUpMs: 3000 },
}

export const QUICK = {
  cost: { rounds: 1, slices: 8, sliceMs: 60, warmUpMs: 500, connections: 50 },
  statements: { perSecond: 1000, count: 1000 },
  frozen: { perSecond: 50, count: 50, giveUpMs: 1500 },
}

/** A is compared with its twin B, which is told A’s answer, or has that path itself. */
export const PAIRS = [
  { title: 'ours, Fastify: live', a: 'fastify-ours', b: 'fastify-bare', path: '/health/live' },
  { title: 'ours, Fastify: ready', a: 'fastify-ours', b: 'fastify-bare', path: '/health/ready' },
  // its TTL of 2 s ends now and then: V8 has to have seen that too
  { title: 'ours, Fastify: health', a: 'fastify-ours', b: 'fastify-bare', path: '/health', warmUpMs: 2500 },
  {
    title: 'ours, Fastify: ordinary traffic',
    a: 'fastify-ours',
    b: 'fastify-bare',
    path: '/orders',
    has: true,
  },
  { title: 'fastify-healthcheck', a: 'fastify-healthcheck', b: 'fastify-bare', path: '/healthz' },
  { title: 'ours, node:http: live', a: 'node-ours', b: 'node-bare', path: '/health/live' },
  { title: 'ours, node:http: ready', a: 'node-ours', b: 'node-bare', path: '/health/ready' },
  { title: 'terminus, constant check', a: 'node-terminus', b: 'node-bare', path: '/healthz' },
  { title: 'noise: the bare app twice', a: 'fastify-bare', b: 'fastify-bare', path: '/orders', has: true },
]

/** Who asks a real database when polled. */
export const DATABASE_USERS = [
  { title: 'ours', role: 'ours', program: 'fastify-ours' },
  { title: 'terminus', role: 'terminus', program: 'node-terminus' },
  { title: 'hand-written `SELECT 1` per poll', role: 'hand_written', program: 'fastify-hand-written' },
]
