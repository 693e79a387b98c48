// An app that does as it is told, by the request: /do?acts=503,break,200 is one act for each attempt, the last for all further ones.
//   200        that status            200+1, 200-0   with X-Baldur-Needs-Retry, X-Fal-Needs-Retry
//   break      the connection ends before the head      part, chunk   after a part of the body, of known and unknown length
//   stall      no answer              drip           a head, a piece, then nothing
//   exit       the process ends       garbage        what is no HTTP        work:N   an answer that takes N ms from its head to its end
//   events     a stream of events; on SIGTERM it is told so, and an upgraded connection gets a close frame with 1001
// It writes a line to RUNNER_LOG for each request that begins, and says no word to its supervisor: its open port is its sign.
import { appendFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'

const { PORT, HOST, RUNNER_LOG, RUNNER_ILL, RUNNER_IDLE_MS } = process.env

/** What is said to whoever is still there when the process is to end. */
const goodbyes = new Set()
const EIGHT_MIB = Buffer.alloc(8 * 1024 * 1024, 'x')

function actOf(request, url) {
  const acts = (url.searchParams.get('acts') ?? '200').split(',')
  const attempt = Number(request.headers['x-baldur-attempt'] ?? 1)
  return acts[Math.min(attempt, acts.length) - 1]
}

function answer(request, response, act, body) {
  const { 'x-baldur-request-id': id, 'x-baldur-attempt': attempt } = request.headers
  const told = {
    pid: process.pid,
    id,
    attempt: Number(attempt),
    method: request.method,
    url: request.url,
    body,
  }
  const [, status, retry] = /^(\d{3})(?:([+-][01]))?$/.exec(act) ?? []
  if (status !== undefined) {
    response.statusCode = Number(status)
    response.setHeader('content-type', 'application/json')
    if (retry?.startsWith('+')) response.setHeader('X-Baldur-Needs-Retry', retry.slice(1))
    if (retry?.startsWith('-')) response.setHeader('X-Fal-Needs-Retry', retry.slice(1))
    return response.end(JSON.stringify(told))
  }
  switch (act) {
    case 'break':
      return request.socket.destroy()
    case 'part':
      response.writeHead(200, { 'content-length': 1_000 })
      return response.write('part', () => request.socket.destroy())
    case 'chunk':
      response.writeHead(200)
      return response.write('part', () => request.socket.destroy())
    case 'events':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: hello\n\n')
      return goodbyes.add(() => response.end('event: bye\ndata: \n\n'))
    case 'stall':
      return undefined
    case 'drip':
      response.writeHead(200)
      return response.write('a piece')
    case 'exit':
      return process.exit(3)
    case 'garbage':
      return request.socket.end('this is no HTTP\r\n\r\n')
    case 'big503':
      response.statusCode = 503
      return response.end(EIGHT_MIB)
    default:
      response.flushHeaders()
      return setTimeout(() => response.end(JSON.stringify(told)), Number(act.split(':')[1]))
  }
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://runner')
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('error', () => undefined)
  const { 'x-baldur-request-id': id, 'x-baldur-attempt': attempt } = request.headers
  if (RUNNER_LOG !== undefined)
    appendFileSync(RUNNER_LOG, `${id} ${attempt} ${process.pid} ${url.pathname}\n`)
  request.on('end', () => {
    // whatever it was asked for: an ill process answers so
    const ill = RUNNER_ILL !== undefined && existsSync(`${RUNNER_ILL}-${process.pid}`)
    const all = RUNNER_ILL !== undefined && existsSync(RUNNER_ILL)
    answer(request, response, ill || all ? '503' : actOf(request, url), Buffer.concat(parts).toString())
  })
})
server.on('upgrade', (_request, socket) => {
  socket.on('error', () => undefined)
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  goodbyes.add(() => socket.end(Buffer.from([0x88, 2, 3, 0xe9])))
})
process.once('SIGTERM', () => {
  for (const goodbye of goodbyes) goodbye()
  setTimeout(() => process.exit(0), goodbyes.size === 0 ? 0 : 200)
})
// a signal of ours that breaks whatever is under way, and nothing else
process.on('SIGUSR2', () => server.closeAllConnections())
if (RUNNER_IDLE_MS !== undefined) server.keepAliveTimeout = Number(RUNNER_IDLE_MS)
server.listen(Number(PORT), HOST)
