import type { Check, CheckResult } from '../vocabulary/check.ts'

/** A connection to a database, as a driver makes it. */
export interface OwnedClient {
  /** Calls the listener whenever the connection turns out to be lost; nothing of that is thrown. */
  onLost(listener: () => void): void
  /** Settles also when the signal aborts, by which time the connection is destroyed. */
  connect(signal: AbortSignal): Promise<unknown>
  /** One round trip; when the signal aborts, the connection is destroyed and this rejects. */
  ask(signal: AbortSignal): Promise<CheckResult>
  /** Lets go of the connection at once, answered or not. */
  destroy(): void
  /** Says goodbye and lets go. */
  end(): Promise<void>
  /** Keeps no process alive from here on. */
  unref(): void
}

type Connecting = Required<Pick<Check, 'connect' | 'run' | 'close'>>

/**
 * Keeps one connection of its own, so that a pool busy with requests is not mistaken for a dead database and a probe
 * never takes their slot. It keeps no process alive.
 */
export function ownConnection(make: () => OwnedClient): Connecting {
  let client: OwnedClient | undefined
  let isNew = false

  const drop = (which: OwnedClient): void => {
    if (client === which) client = undefined
  }

  const connect = async (signal: AbortSignal): Promise<void> => {
    if (client !== undefined) return
    const mine = make()
    // an idle connection that breaks is noticed here, and the next run makes another
    mine.onLost(() => drop(mine))
    const destroy = (): void => mine.destroy()
    signal.addEventListener('abort', destroy, { once: true })
    try {
      mine.unref()
      await mine.connect(signal)
      // TLS puts another socket in its place
      mine.unref()
      signal.throwIfAborted()
      client = mine
      isNew = true
    } catch (error) {
      destroy()
      throw error
    } finally {
      signal.removeEventListener('abort', destroy)
    }
  }

  const ask = async (signal: AbortSignal): Promise<CheckResult> => {
    const mine = client
    if (mine === undefined) throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' })
    try {
      return await mine.ask(signal)
    } catch (error) {
      mine.destroy()
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
      if (mine !== undefined) await mine.end()
    },
  }
}
