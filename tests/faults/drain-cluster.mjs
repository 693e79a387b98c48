// Two workers of a cluster, each of which drains. On SIGUSR2 every worker is replaced, the new one first: the old one gets SIGTERM,
// in the next pass pm2's message. A signal to the primary is passed on: it has to outlive its workers, which end at once without it.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createHealth } from '@baldur/health-core'
import { healthListener } from '@baldur/health-core/node'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

async function primary() {
  const start = async () => {
    const worker = cluster.fork()
    const [{ port }] = await once(worker, 'listening')
    return { worker, port }
  }
  const { port } = await start()
  await start()
  const ends = [(worker) => worker.process.kill('SIGTERM'), (worker) => worker.send('shutdown')]
  let passes = 0
  const drain = createDrain({ env: {} })
  drain.signal.addEventListener('abort', () => {
    console.log('drains')
    for (const worker of Object.values(cluster.workers)) {
      const exit = once(worker, 'exit').then(([code, signal]) =>
        console.log(`worker ended with ${code} ${signal}`),
      )
      void drain.track(exit, `worker ${worker.id}`)
      worker.process.kill('SIGTERM')
    }
  })
  drainOnSignals(drain)
  process.on('SIGUSR2', async () => {
    const end = ends[passes++]
    for (const old of Object.values(cluster.workers)) {
      await start()
      end(old)
      const [code, signal] = await once(old, 'exit')
      console.log(`worker ended with ${code} ${signal}`)
    }
    console.log(`pass ${passes} is over`)
  })
  console.log(`listening on ${port}`)
}

function worker() {
  const health = createHealth({ env: {} })
  const app = async (request, response) => {
    for await (const _ of request);
    await wait(request.url === '/slow' ? 1_000 : Math.random() * 50)
    response.end(`worker ${process.pid}`)
  }
  const server = createServer(healthListener(health, { next: app }))
  drainOnSignals(createDrain({ server, health, shutdownDelayMs: 500, settleMs: 150, env: {} }))
  server.listen(0, '127.0.0.1')
}

await (cluster.isPrimary ? primary() : worker())
