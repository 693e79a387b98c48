import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { type Address, openSocket } from '../socket/open-socket.ts'
import { trackedLookup } from '../socket/tracked-lookup.ts'
import { nameError } from './name-error.ts'

/** An agent with one connection at most, which is made before it is needed. */
export interface OneSocket {
  readonly agent: Agent
  /** Makes the connection where there is none that is idle. */
  connect(signal: AbortSignal): Promise<void>
  close(): void
}

/** Keeps one connection alive between requests. It keeps no process alive. */
export function oneSocket(address: Address): OneSocket {
  const lookups = trackedLookup()
  let made: Socket | undefined
  const agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1 })
  const isIdle = (): boolean =>
    Object.values(agent.freeSockets).some((sockets) => sockets?.some(({ destroyed }) => !destroyed))
  agent.createConnection = () => {
    const socket = made
    made = undefined
    // requests are made after `connect` only; without it nothing would bound the connection
    if (socket === undefined) throw new Error('no connection was made')
    return socket
  }
  return {
    agent,
    connect: async (signal) => {
      if (made?.destroyed) made = undefined
      if (made !== undefined || isIdle()) return
      made = await openSocket(address, signal, lookups).catch((error: unknown) => {
        throw nameError(error)
      })
    },
    close: () => {
      made?.destroy()
      agent.destroy()
    },
  }
}
