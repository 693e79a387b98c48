// Two workers of a cluster that want their admin server on one port.
import cluster from 'node:cluster'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'

const port = Number(process.argv[2])
if (cluster.isPrimary) {
  cluster.fork().on('message', () => cluster.fork())
} else {
  const health = createHealth({ env: {} })
  await startAdmin({ health, port, env: {} }).then(
    ({ url }) => console.log(`worker ${cluster.worker.id}: ${url}`),
    ({ message, code }) => console.log(`worker ${cluster.worker.id}: ${code} ${message}`),
  )
  process.send('tried')
}
