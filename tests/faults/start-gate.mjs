// A start gate: asks one question, prints the answer and ends by itself. Arguments: a database's URL, and the question.
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'

const [url, question] = process.argv.slice(2)
const health = createHealth({
  env: {},
  databases: { default: postgresCheck(url, { timeoutMs: 300, connectTimeoutMs: 300 }) },
  verdict: { budgetMs: 500 },
  watchdog: false,
})
const answer =
  question === 'answer'
    ? JSON.parse((await health.answer({ method: 'GET', target: '/health/ready' })).body)
    : await health[question]()
console.log(answer.status)
if (process.argv[4] === 'close') await health.close()
console.log('done')
