import { startContestant } from '../contestant.mjs'
import { quantile } from '../figures.mjs'
import { askOnce } from '../load/ask-once.mjs'
import { probeAtRate } from '../load/at-rate.mjs'

const PATH = '/health/ready'

/** How many statements the database runs for a thousand readiness probes, counted by the database. */
export async function statements(users, plan, database, tell) {
  const rows = []
  for (const { title, role, program } of users) {
    tell(`statements: ${title}`)
    const contestant = await startContestant(program, { databaseUrl: database.urlFor(role) })
    try {
      await askOnce(contestant.port, PATH)
      const before = { statements: await database.statementsOf(role), micros: await contestant.cpuMicros() }
      const results = await probeAtRate(contestant.port, { ...plan, path: PATH, giveUpMs: 10_000 })
      const micros = (await contestant.cpuMicros()) - before.micros
      const ran = (await database.statementsOf(role)) - before.statements
      rows.push({
        title,
        ran,
        perThousand: (ran * 1000) / results.length,
        ready: results.filter(({ status }) => status === 200).length,
        count: results.length,
        p99: quantile(
          results.map(({ ms }) => ms),
          0.99,
        ),
        micros: micros / results.length,
      })
    } finally {
      await contestant.stop()
    }
  }
  return rows
}
