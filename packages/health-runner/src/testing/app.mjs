// A runner as tests want it: the variables say how it starts, the path what it answers.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const {
  PORT,
  HOST,
  BALDUR_RUNNER_CONTROL: control,
  BALDUR_RUNNER_NAME: name,
  START,
  FILES = '.',
} = process.env

/** Says a word to the supervisor, and waits until it has been heard. */
const say = (word) =>
  new Promise((resolve, reject) => {
    const socket = connect(control)
    socket.once('error', reject)
    socket.once('data', () => socket.end(resolve))
    socket.write(`${JSON.stringify({ name, ...word })}\n`)
  })
const note = (file, text) => appendFileSync(`${FILES}/${file}`, `${text}\n`)
const isThere = async (file) => {
  while (!existsSync(`${FILES}/${file}`)) await sleep(5)
}
const listen = () =>
  new Promise((resolve) => {
    createServer((request, response) => {
      note('requests', `${name} ${request.url}`)
      const status = existsSync(`${FILES}/status`) && request.url === '/health' ? 500 : 200
      if (request.url === '/hang' || existsSync(`${FILES}/hang`)) return
      response.writeHead(status).end('answer')
    })
      .once('connection', () => note('connections', name))
      .listen(Number(PORT), HOST, resolve)
  })
const stay = () => setInterval(() => {}, 1000)
const deaf = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'

const starts = {
  listen,
  never: stay,
  exit: () => process.exit(3),
  words: async () => {
    await say({ say: 'setup' })
    await isThere('go')
    await listen()
    await say({ say: 'ready' })
  },
  early: async () => {
    await say({ say: 'setup' })
    await listen()
    note('listening', name)
    await isThere('go')
    await say({ say: 'ready' })
  },
  deafSetup: async () => {
    process.on('SIGTERM', () => {})
    await say({ say: 'setup' })
    await listen()
    stay()
  },
  failed: async () => {
    await say({ say: 'setup' })
    await listen()
    await say({ say: 'failed', error: 'no database' })
  },
  nonsense: async () => {
    const socket = connect(control)
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\n\r\n')
    socket.once('close', listen)
  },
  deaf: () => {
    process.on('SIGTERM', () => {})
    return listen()
  },
  slow: () => {
    process.on('SIGTERM', () => setTimeout(() => process.exit(0), 300))
    return listen()
  },
  /** One in the group and one that has left it, neither of which ends when it is asked to. */
  family: async () => {
    const child = spawn(process.execPath, ['-e', deaf], { stdio: 'ignore' })
    const stray = spawn(process.execPath, ['-e', deaf], { stdio: 'ignore', detached: true })
    note('family', `${child.pid} ${stray.pid}`)
    await listen()
  },
  /** One in the group that does not end when it is asked to. */
  pair: async () => {
    spawn(process.execPath, ['-e', deaf], { stdio: 'ignore' })
    await listen()
  },
  /** One in the group that has none of the variables, and does not end when it is asked to. */
  bare: async () => {
    const child = spawn(process.execPath, ['-e', deaf], { stdio: 'ignore', env: {} })
    note('bare', child.pid)
    await listen()
  },
  /** One that has left the group. */
  stray: async () => {
    const stray = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
      detached: true,
    })
    note('strays', stray.pid)
    await listen()
  },
  /** A stranger, who knows nothing of the supervisor, takes the port first. */
  robbed: () => {
    // answers with how many connections it has had
    const code = `let seen = 0
      require('node:http').createServer((q, r) => r.end(String(seen)))
        .on('connection', () => { seen += 1 }).listen(${PORT}, '${HOST}')`
    const stranger = spawn(process.execPath, ['-e', code], { stdio: 'ignore', detached: true, env: {} })
    note('strangers', stranger.pid)
    stay()
  },
  /** Does not start until the file is there. */
  flaky: async () => {
    if (!existsSync(`${FILES}/go`)) process.exit(4)
    await listen()
  },
}
process.on('exit', (code) => note('exits', `${name} ${code}`))
note('starts', `${name} ${process.pid} ${PORT}`)
await starts[START ?? 'listen']()
