// Forks itself, as cluster and pm2 do, and tells what becomes of the child. Argument: what both of them do.
import { fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { createDrain, drainOnSignals } from '@baldur/health-drain'

const [, program, way, role] = process.argv

const ownListener = () => process.on('message', (message) => console.log(`the child heard ${message}`))
const goOn = () => setInterval(() => undefined, 1_000)
const child = () => {
  const drain = createDrain({ env: {} })
  drain.onShutdown('pool', () => console.log('hook pool'))
  drain.signal.addEventListener('abort', () => console.log(`drains, ${drain.signal.reason.message}`))
  if (way === 'own listener before') ownListener()
  const off = drainOnSignals(drain)
  if (way === 'own listener after') ownListener()
  if (way.endsWith('a signal later')) void drain.track(wait(1_500), 'job')
  if (way === 'taken off') {
    ownListener()
    off()
  }
  if (way.startsWith('works')) goOn()
  // its work, for a while
  if (way.startsWith('is done')) setTimeout(() => console.log('work is done'), 200)
  process.send('up')
}

const parent = async () => {
  const forked = fork(program, [way, 'child'])
  forked.on('exit', (code, signal) => {
    console.log(`the child ended with ${code} ${signal}, connected: ${forked.connected}`)
    process.exit()
  })
  await new Promise((resolve) => forked.once('message', resolve))
  if (way === 'works, shutdown') forked.send('shutdown')
  if (way === 'works, shutdown twice and a signal') {
    forked.send('shutdown')
    forked.send('shutdown')
    await wait(20)
    forked.kill('SIGTERM')
  }
  if (way === 'works, shutdown and a signal later') {
    forked.send('shutdown')
    await wait(1_200)
    forked.kill('SIGTERM')
  }
  if (way === 'works, another message') {
    forked.send('hello')
    forked.send({ type: 'shutdown' })
    await wait(300)
    forked.kill('SIGKILL')
  }
  if (way === 'is done, shutdown') forked.send('shutdown')
  if (way.startsWith('own listener') || way === 'taken off') {
    await wait(300)
    if (!forked.connected) return
    forked.send('hello')
    await wait(100)
    forked.disconnect()
  }
}
await (role === 'child' ? child() : parent())
