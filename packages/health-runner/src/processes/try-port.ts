import { connect } from 'node:net'
import type { Clock } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'
import { RUNNER_HOST } from './free-ports.ts'

/** Whether somebody accepts connections there, from any port or this one. A connection to a free port can get that port itself, and meet itself: that is nobody. Never rejects. */
export function tryPort(port: number, clock: Clock, localPort?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: RUNNER_HOST, port, ...(localPort !== undefined && { localPort }) })
    const end = (isOpen: boolean): void => {
      cancel()
      socket.destroy()
      resolve(isOpen)
    }
    const cancel = clock.after(FIXED.connectTimeoutMs, () => end(false))
    socket.on('error', () => end(false))
    socket.once('connect', () => end(socket.localPort !== socket.remotePort))
  })
}
