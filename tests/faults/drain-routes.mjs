// What drain-service.mjs answers. `ms` of a route is the number in its query, whatever it stands for.
import { setTimeout as wait } from 'node:timers/promises'

/** Answers queries until it has ended. */
export const pool = {
  isOpen: true,
  query: () => (pool.isOpen ? 'row' : Promise.reject(new Error('the pool has ended'))),
}

export const never = new Promise(() => undefined)
export const fail = (text) => {
  throw new Error(text, { cause: new Error('the cause of it') })
}
const routesOf = (drain) => ({
  '/': () => 'hello',
  '/slow': (ms) => wait(ms, `waited ${ms}`),
  '/hang': () => never,
  '/refuses': (_, response) => {
    response.statusCode = 401
    return 'who are you?'
  },
  '/query': async (ms) => {
    await wait(ms)
    return pool.query()
  },
  '/kill': async () => {
    process.kill(process.pid, 'SIGTERM')
    await wait(100)
    return `${drain.phase}`
  },
  '/start': () => {
    void drain.start('asked for')
    return 'it has begun'
  },
  '/throw': (ms) => {
    setTimeout(() => fail(`thrown after ${ms}`), ms)
    return 'it will be thrown'
  },
  '/reject': () => {
    void Promise.reject('a rejection that is no Error')
    return 'rejected'
  },
  '/throw-here': () => fail('thrown while answering'),
  '/counts': () =>
    JSON.stringify(
      Object.fromEntries(
        ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection', 'message'].map((name) => [
          name,
          process.listenerCount(name),
        ]),
      ),
    ),
  '/chunks': async (count, response) => {
    for (let i = 0; i < count; i++) {
      response.write(`chunk ${i}\n`)
      await wait(100)
    }
    return 'the end'
  },
  '/large': (size, response) => {
    response.setHeader('content-length', size)
    return Buffer.alloc(size, 'x')
  },
  '/events': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    return never
  },
})

/** A plain listener: an error in a route is nobody's to catch. `whose` gives the drain, which is made after it. */
export const appOf = (whose) => async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x')
  const route = routesOf(whose())[pathname] ?? (() => 'not found')
  const body = await (pathname === '/query'
    ? Promise.resolve(route(Number(searchParams.get('ms')))).catch((error) => {
        response.statusCode = 500
        return error.message
      })
    : route(Number(searchParams.get('ms')), response))
  response.end(body)
  console.log(`answered ${pathname}`)
}
