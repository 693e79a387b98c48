import type { Keeper, KeptProcess } from './keeper.ts'
import type { ProcessSpec } from './keeper-protocol.ts'

const LOG_LENGTH = 4000

/** Starts a server; resolves once its output holds `ready`, rejects with its output when it ends instead. */
export async function runServer(
  keeper: Keeper,
  spec: ProcessSpec,
  { what, ready }: { what: string; ready: string },
): Promise<KeptProcess> {
  let log = ''
  let becomeReady = () => {}
  const isReady = new Promise<'ready'>((resolve) => {
    becomeReady = () => resolve('ready')
  })
  const server = await keeper.start(spec, (text) => {
    log = (log + text).slice(-LOG_LENGTH)
    if (log.includes(ready)) becomeReady()
  })
  const outcome = await keeper.hold(Promise.race([isReady, server.exited]))
  if (outcome !== 'ready') throw new Error(`${what} did not start: ${log.trim()}`)
  return server
}
