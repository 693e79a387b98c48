import { statusOf } from './connection.mjs'

/** Asks on every connection again as soon as it is answered; resolves once the last question is answered. */
export function saturate(connections, { path, ms }) {
  const startedAt = performance.now()
  const endsAt = startedAt + ms
  const latencies = []
  let active = connections.length
  return new Promise((resolve, reject) => {
    for (const { ask } of connections) {
      let askedAt = 0
      const next = () => {
        askedAt = performance.now()
        ask(path, onAnswer)
      }
      const onAnswer = (response) => {
        const now = performance.now()
        if (response === undefined) return reject(new Error(`${path}: the connection was closed`))
        if (statusOf(response) !== 200) return reject(new Error(`${path}: ${response}`))
        latencies.push(now - askedAt)
        if (now < endsAt) return next()
        active -= 1
        if (active === 0) resolve({ latencies, seconds: (now - startedAt) / 1000 })
      }
      next()
    }
  })
}
