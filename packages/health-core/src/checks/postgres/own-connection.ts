import type { Check } from '../../vocabulary/check.ts'
import { destroyClient, endClient, type PostgresClient, queryUntil, withCode } from './driver.ts'
import type { Statement } from './statement.ts'

type Connecting = Required<Pick<Check, 'connect' | 'run' | 'close'>>

/**
 * Keeps one connection of its own, so that a pool busy with requests is not mistaken for a dead database and a probe
 * never takes their slot. It keeps no process alive.
 */
export function ownConnection(make: () => PostgresClient, statement: Statement): Connecting {
  let client: PostgresClient | undefined
  let isNew = false

  const drop = (which: PostgresClient): void => {
    if (client === which) client = undefined
  }

  const connect = async (signal: AbortSignal): Promise<void> => {
    if (client !== undefined) return
    const mine = make()
    // an idle connection that breaks is noticed here, and the next run makes another
    mine.on('error', () => drop(mine))
    mine.on('end', () => drop(mine))
    const destroy = (): void => destroyClient(mine)
    signal.addEventListener('abort', destroy, { once: true })
    try {
      mine.unref?.()
      await mine.connect()
      // TLS puts another socket in its place
      mine.unref?.()
      signal.throwIfAborted()
      client = mine
      isNew = true
    } catch (error) {
      destroy()
      throw withCode(error)
    } finally {
      signal.removeEventListener('abort', destroy)
    }
  }

  const ask = async (signal: AbortSignal): Promise<ReturnType<Statement['read']>> => {
    const mine = client
    if (mine === undefined) throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' })
    try {
      return statement.read(await queryUntil(mine, statement.text, signal))
    } catch (error) {
      destroyClient(mine)
      drop(mine)
      throw error
    }
  }

  return {
    connect,
    run: async (signal) => {
      const wasIdle = !isNew
      isNew = false
      try {
        return await ask(signal)
      } catch (error) {
        // a connection that was idle may have been closed long ago by something on the way: that says nothing of the server
        if (signal.aborted || !wasIdle) throw error
        await connect(signal)
        isNew = false
        return ask(signal)
      }
    },
    close: async () => {
      const mine = client
      client = undefined
      if (mine !== undefined) await endClient(mine)
    },
  }
}
