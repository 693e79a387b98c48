import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { conditions, loadAverage } from './conditions.mjs'
import { startDatabase } from './database.mjs'
import { frozen } from './parts/frozen.mjs'
import { probeCost } from './parts/probe-cost.mjs'
import { startUp } from './parts/start-up.mjs'
import { statements } from './parts/statements.mjs'
import { DATABASE_USERS, FULL, PAIRS, QUICK } from './plan.mjs'
import { report, startUpSection } from './report.mjs'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    'start-up': { type: 'boolean', default: false },
  },
})
const plan = values.quick ? QUICK : FULL
const tell = (text) => console.error(text)

if (values['start-up']) {
  console.log(startUpSection(await startUp(plan.startUp, tell), plan.startUp))
  process.exit()
}

const startedAt = performance.now()
const loadBefore = loadAverage()
const database = await startDatabase(['cost', ...DATABASE_USERS.map(({ role }) => role)])
try {
  const cost = await probeCost(PAIRS, plan.cost, database.urlFor('cost'), tell)
  const asked = await statements(DATABASE_USERS, plan.statements, database, tell)
  const outage = await frozen(DATABASE_USERS, plan.frozen, database, tell)
  const started = await startUp(plan.startUp, tell)
  const taken = conditions(database, loadBefore, (performance.now() - startedAt) / 1000)
  const text = report({ conditions: taken, plan, cost, statements: asked, frozen: outage, startUp: started })
  console.log(text)
  if (values.write) writeFileSync(new URL('./RESULTS.md', import.meta.url), text)
} finally {
  await database.stop()
}
