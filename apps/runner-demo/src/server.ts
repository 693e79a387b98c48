import { fileURLToPath } from 'node:url'
import { drainOnSignals } from '@baldur/health-drain'
import { startRunners } from '@baldur/health-runner'
import { readAddress, startDatabase } from 'demo-orders'

async function main(): Promise<void> {
  const address = readAddress(process.env, 3004)
  // of this process, not of a runner: it is there before the first of them, for all of them, and after the last
  const database = await startDatabase(process.env)
  const runners = await startRunners({
    ...address,
    command: [process.execPath, fileURLToPath(new URL('./runner.js', import.meta.url))],
    runners: 2,
    runnerEnv: database === undefined ? {} : { BALDUR_SQL_DSN: database.url },
    prefix: '/api/baldur',
    // short, so that a stall need not be waited for
    requestTimeoutMs: 10_000,
    healthCheck: { path: '/api/baldur/health/live', intervalMs: 5_000 },
  })
  runners.on('runner', ({ name, pid, from, to, reason, detail }) => {
    // each request is a change too
    if ((from === 'running' && to === 'idle') || (from === 'idle' && to === 'running')) return
    // why it leaves is said once, when it begins to
    const isLeaving = from === 'draining' || from === 'terminating'
    const words = isLeaving ? [to === 'gone' ? detail : undefined] : [reason, detail]
    const why = words.filter((word) => word !== undefined).join(': ')
    console.log(`runner ${name} (pid ${pid ?? 'none'}) ${to}${why === '' ? '' : `, ${why}`}`)
  })
  runners.on('guard', ({ name, reason }) => console.log(`the guard keeps runner ${name}: ${reason}`))
  if (database !== undefined) runners.drain.onShutdown('database', database.stop, { after: '*' })
  drainOnSignals(runners.drain)
  console.log(`listening on ${runners.url}`)
  console.log(`health at ${runners.url}/api/baldur/health, Ctrl-C ends it`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
