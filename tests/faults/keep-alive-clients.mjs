// Clients that send one request after the other, each on a connection of its own that it keeps for as long as it may, and never
// send one twice. Until SIGTERM, or until every client was refused; then it prints what became of the requests and ends.
// Argument: a JSON object, see `ClientsOptions` in rolling.ts.
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const { port, clients, slowestMs, longestPauseMs, endsWhenRefused } = JSON.parse(process.argv[2])
/** Longer than any answer takes, also on a busy machine. */
const PATIENCE_MS = 20_000
const SAMPLES = 10

const startedAt = Date.now()
/** By kind: how many, and the first of them. @type {Record<string, { count: number, samples: string[] }>} */
const failures = {}
/** @type {Record<string, number>} */
const answers = {}
let sent = 0
let connections = 0
let refused = 0
let firstRefusedAt
let toldToClose = 0
let isStopping = false
let waitingForFirst = clients

process.on('SIGTERM', () => {
  isStopping = true
})

/** Half of them POST; the others take up to the slowest. Which, and how long, differs from client to client, and is the same in every run. */
const planOf = (client, number) =>
  (client + number) % 2 === 0
    ? { method: 'POST', path: '/orders', status: 201, item: `${client}-${number}` }
    : { method: 'GET', path: `/slow?ms=${(client * 61 + number * 37) % (slowestMs + 1)}`, status: 200 }

/** Sends one request; resolves with what was answered, or with what happened instead. Never rejects. */
const send = (agent, { method, path, item }) =>
  new Promise((resolve) => {
    const body = item === undefined ? '' : JSON.stringify({ item })
    const headers =
      item === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
    const request = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers })
    let response
    let text = ''
    const end = (outcome) => {
      clearTimeout(timer)
      resolve({ ...outcome, response, text, isReused: request.reusedSocket })
    }
    const fail = (error) => {
      const what = error.syscall === 'connect' ? 'connect' : response ? 'cut answer' : 'no answer'
      end({ failure: `${what}: ${error.code ?? error.message}`, isRefused: error.code === 'ECONNREFUSED' })
    }
    const timer = setTimeout(() => {
      fail({ code: `nothing for ${PATIENCE_MS} ms` })
      request.destroy()
    }, PATIENCE_MS)
    request.on('error', fail)
    request.on('response', (head) => {
      response = head
      head.setEncoding('utf8')
      head.on('data', (chunk) => {
        text += chunk
      })
      head.on('error', fail)
      head.on('end', () => end({}))
    })
    request.on('socket', () => {
      if (!request.reusedSocket) connections += 1
    })
    request.end(body)
  })

const parse = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is wrong with an answer, if anything. */
const faultOf = ({ status, path, item }, { failure, response, text }) => {
  if (failure !== undefined) return failure
  if (response.statusCode !== status) return `status ${response.statusCode}`
  const body = parse(text)
  const isRight = item === undefined ? path.endsWith(`=${body?.waited_ms}`) : body?.item === item
  return isRight ? undefined : 'wrong body'
}

async function runClient(client) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let wasToldToClose = false
  for (let number = 0; !isStopping; number += 1) {
    const plan = planOf(client, number)
    const outcome = await send(agent, plan)
    if (outcome.isRefused && endsWhenRefused) {
      refused += 1
      firstRefusedAt ??= Date.now()
      break
    }
    sent += 1
    const fault = faultOf(plan, outcome)
    if (outcome.response !== undefined) {
      const { statusCode, headers } = outcome.response
      answers[statusCode] = (answers[statusCode] ?? 0) + 1
      wasToldToClose ||= headers.connection === 'close'
    }
    if (fault !== undefined) {
      failures[fault] ??= { count: 0, samples: [] }
      failures[fault].count += 1
      const { method, path } = plan
      const how = outcome.isReused ? 'on a kept connection' : 'on a new connection'
      const sample = `${Date.now() - startedAt} ms, client ${client}: ${method} ${path} ${how} ${outcome.text.slice(0, 80)}`
      if (failures[fault].samples.length < SAMPLES) failures[fault].samples.push(sample.trim())
    }
    if (number === 0) {
      waitingForFirst -= 1
      if (waitingForFirst === 0) console.log('every client has had an answer')
    }
    // a connection that waits for its next request is one that a server may think idle
    if (longestPauseMs > 0) await pause((client * 41 + number * 73) % (longestPauseMs + 1))
  }
  if (wasToldToClose) toldToClose += 1
  agent.destroy()
}

await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
console.log(
  `outcome ${JSON.stringify({ sent, answers, failures, connections, toldToClose, refused, firstRefusedAt, ms: Date.now() - startedAt })}`,
)
