import { setTimeout as sleep } from 'node:timers/promises'
import { faultProxy } from 'health-testkit'
import { startContestant } from '../contestant.mjs'
import { quantile } from '../figures.mjs'
import { askOnce } from '../load/ask-once.mjs'
import { probeAtRate } from '../load/at-rate.mjs'
import { statusOf } from '../load/connection.mjs'

const PATH = '/health/ready'
// longer than our readiness TTL, so that nothing is answered from before the freeze
const STALE_MS = 5_500
const RECOVERY_MS = 15_000
const SETTLE_MS = 200

async function start({ title, role, program }, database) {
  // counts the connections also while the server cannot
  const proxy = await faultProxy(database.port)
  const contestant = await startContestant(program, { databaseUrl: database.urlFor(role, proxy.port) })
  return { title, role, proxy, contestant }
}

async function probeFrozen({ title, role, proxy, contestant }, plan) {
  let mostOpen = 0
  const sampler = setInterval(() => {
    mostOpen = Math.max(mostOpen, proxy.open)
  }, 50)
  const results = await probeAtRate(contestant.port, { ...plan, path: PATH })
  clearInterval(sampler)
  const answered = results.filter(({ status }) => status !== undefined)
  const statuses = {}
  for (const { status = 'none' } of results) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    title,
    role,
    count: results.length,
    answered: answered.length,
    statuses,
    firstMs: answered.length === 0 ? undefined : Math.min(...answered.map(({ atMs }) => atMs)),
    p99:
      answered.length === 0
        ? undefined
        : quantile(
            results.map(({ ms }) => ms),
            0.99,
          ),
    mostOpen,
  }
}

async function statementsOf(apps, database) {
  const counts = []
  for (const { role } of apps) counts.push(await database.statementsOf(role))
  return counts
}

async function msUntilReady({ contestant }) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < RECOVERY_MS) {
    if (statusOf(await askOnce(contestant.port, PATH)) === 200) return performance.now() - startedAt
    await sleep(50)
  }
  return undefined
}

/** What readiness says while the database takes connections and answers nothing, all contestants beside each other. */
export async function frozen(users, plan, database, tell) {
  tell('frozen database')
  const apps = []
  try {
    for (const user of users) apps.push(await start(user, database))
    for (const { contestant } of apps) await askOnce(contestant.port, PATH)
    const before = await statementsOf(apps, database)
    await database.pause()
    await sleep(STALE_MS)
    const rows = await Promise.all(apps.map((app) => probeFrozen(app, plan)))
    await database.resume()
    const recoveries = await Promise.all(apps.map(msUntilReady))
    const after = await statementsOf(apps, database)
    return rows.map((row, index) => ({
      ...row,
      recoveryMs: recoveries[index],
      statementsAfter: after[index] - before[index],
    }))
  } finally {
    await database.resume()
    for (const { contestant } of apps) await contestant.stop()
    // Node never closes a socket that is reset while it ends, so let the ends arrive first
    await sleep(SETTLE_MS)
    for (const { proxy } of apps) await proxy.close()
  }
}
