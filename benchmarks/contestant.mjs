import { fork } from 'node:child_process'
import { once } from 'node:events'
import { minimalEnv } from 'health-testkit'

const PROGRAMS = {
  'fastify-ours': new URL('./contestants/fastify-ours.mjs', import.meta.url),
  'fastify-bare': new URL('./contestants/fastify-bare.mjs', import.meta.url),
  'fastify-healthcheck': new URL('./contestants/fastify-healthcheck.mjs', import.meta.url),
  'fastify-hand-written': new URL('./contestants/fastify-hand-written.mjs', import.meta.url),
  'express-ours': new URL('./contestants/express-ours.mjs', import.meta.url),
  'express-bare': new URL('./contestants/express-bare.mjs', import.meta.url),
  'koa-ours': new URL('./contestants/koa-ours.mjs', import.meta.url),
  'koa-bare': new URL('./contestants/koa-bare.mjs', import.meta.url),
  'node-ours': new URL('./contestants/node-ours.mjs', import.meta.url),
  'node-bare': new URL('./contestants/node-bare.mjs', import.meta.url),
  'node-terminus': new URL('./contestants/node-terminus.mjs', import.meta.url),
}

/** Starts a server in a process of its own. */
export async function startContestant(name, options = {}) {
  const child = fork(PROGRAMS[name], [JSON.stringify(options)], {
    env: { ...minimalEnv(), NODE_ENV: 'production' },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-2000)
  })
  const exited = once(child, 'exit')
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message'), exited])
    if (typeof message === 'object' && message !== null) return message
    throw new Error(`${name} ended: ${errors}`)
  }
  const { port } = await answer()
  return {
    name,
    port,
    /** CPU time used so far, by all threads, in microseconds. */
    cpuMicros: async () => {
      child.send('usage')
      const { user, system } = await answer()
      return user + system
    },
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
