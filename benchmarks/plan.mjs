/** How long everything takes: about six minutes, or one and a half with `--quick`. */
export const FULL = {
  cost: { rounds: 4, slices: 10, sliceMs: 60, warmUpMs: 600, connections: 50 },
  statements: { perSecond: 1000, count: 5000 },
  frozen: { perSecond: 50, count: 200, giveUpMs: 3000 },
  startUp: { runs: 30 },
}

export const QUICK = {
  cost: { rounds: 1, slices: 8, sliceMs: 60, warmUpMs: 500, connections: 50 },
  statements: { perSecond: 1000, count: 1000 },
  frozen: { perSecond: 50, count: 50, giveUpMs: 1500 },
  startUp: { runs: 5 },
}

/** Ours in one framework: what a probe costs, and what every other request pays for it. */
function oursIn(framework, program) {
  const twins = { a: `${program}-ours`, b: `${program}-bare` }
  const traffic = { ...twins, path: '/orders', has: true }
  return [
    { title: `ours, ${framework}: live`, ...twins, path: '/health/live' },
    { title: `ours, ${framework}: ready`, ...twins, path: '/health/ready' },
    { title: `ours, ${framework}: ordinary traffic`, ...traffic },
    { title: `ours, ${framework}: ordinary traffic, observed`, ...traffic, observe: true },
  ]
}

/** A program beside itself: what a run cannot tell apart. */
const noise = (framework, program) => ({
  title: `noise: the bare ${framework} app twice`,
  a: program,
  b: program,
  path: '/orders',
  has: true,
})

// it changes the prototypes of every request and response, which V8 takes one to two seconds to settle on
const EXPRESS = { warmUpMs: 2000 }

/** A is compared with its twin B, which is told A’s answer, or has that path itself. */
export const PAIRS = [
  ...oursIn('Fastify', 'fastify'),
  // its TTL of 2 s ends now and then: V8 has to have seen that too
  { title: 'ours, Fastify: health', a: 'fastify-ours', b: 'fastify-bare', path: '/health', warmUpMs: 2500 },
  { title: 'fastify-healthcheck', a: 'fastify-healthcheck', b: 'fastify-bare', path: '/healthz' },
  ...oursIn('Express', 'express').map((pair) => ({ ...pair, ...EXPRESS })),
  ...oursIn('Koa', 'koa'),
  { title: 'ours, node:http: live', a: 'node-ours', b: 'node-bare', path: '/health/live' },
  { title: 'ours, node:http: ready', a: 'node-ours', b: 'node-bare', path: '/health/ready' },
  { title: 'terminus, constant check', a: 'node-terminus', b: 'node-bare', path: '/healthz' },
  noise('Fastify', 'fastify-bare'),
  { ...noise('Express', 'express-bare'), ...EXPRESS },
]

/** Who asks a real database when polled. */
export const DATABASE_USERS = [
  { title: 'ours', role: 'ours', program: 'fastify-ours' },
  { title: 'terminus', role: 'terminus', program: 'node-terminus' },
  { title: 'hand-written `SELECT 1` per poll', role: 'hand_written', program: 'fastify-hand-written' },
]
