import { setTimeout as wait } from 'node:timers/promises'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { serveRunner } from '@baldur/health-runner'
import { openDatabase, openOrders } from 'demo-orders'
import { ordersListener } from './orders-listener.ts'

async function main(): Promise<void> {
  const database = await openDatabase(process.env)
  const health = createHealth({
    prefix: '/api/baldur',
    databases: database === undefined ? {} : { default: postgresCheck(database.pool) },
  })
  await serveRunner({
    health,
    listener: ordersListener(openOrders(database), health.prefix),
    // what a real one does here: load a model, fill a cache
    setup: () => wait(500),
    teardown: async () => {
      await health.close()
      await database?.close()
    },
  })
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
