import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, statusOf } from './connection.mjs'

const MOST_CONNECTIONS = 250

/**
 * Sends `count` probes at a steady rate whether or not earlier ones are answered, each on a connection that is free, else
 * on a new one. Times run from when a probe was due. A probe that is given up has no status.
 */
export async function probeAtRate(port, { path, perSecond, count, giveUpMs }) {
  const startedAt = performance.now()
  const free = []
  const waiting = []
  const results = []
  let open = 0

  const settle = (dueAt, status) => {
    const now = performance.now()
    results.push({ status, ms: now - dueAt, atMs: now - startedAt })
  }
  const send = (connection, dueAt) => {
    let isOver = false
    const end = (response) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      settle(dueAt, response === undefined ? undefined : statusOf(response))
      if (response === undefined) {
        open -= 1
        return connection.close()
      }
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else send(connection, next)
    }
    const timer = setTimeout(end, Math.max(0, dueAt + giveUpMs - performance.now()))
    connection.ask(path, end)
  }

  for (let sent = 0; sent < count; ) {
    const isDue = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1)
    for (; sent < isDue; sent += 1) {
      const dueAt = startedAt + (sent * 1000) / perSecond
      if (free.length === 0 && open >= MOST_CONNECTIONS) waiting.push(dueAt)
      else if (free.length > 0) send(free.pop(), dueAt)
      else {
        open += 1
        send(openConnection(port), dueAt)
      }
    }
    await sleep(1)
  }
  while (results.length < count) await sleep(10)
  for (const connection of free) connection.close()
  return results
}
