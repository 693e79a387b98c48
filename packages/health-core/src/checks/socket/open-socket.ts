import { connect as connectPlain, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectSecure } from 'node:tls'
import { type TrackedLookup, trackedLookup } from './tracked-lookup.ts'

/** Where a connection goes. */
export interface Address {
  /** A name or an IP address, of IPv6 without brackets. */
  readonly host: string
  readonly port: number
  readonly tls?: ConnectionOptions
}

const ignore = (): void => undefined

/** An error under the code that Node has for a connection that ended where something was still due. */
export const resetError = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ECONNRESET' })

/**
 * Opens a connection that keeps no process alive, its TLS handshake included. When the signal aborts, or when it fails, the
 * socket is destroyed, and the promise rejects once its look-up has ended too.
 */
export async function openSocket(
  { host, port, tls }: Address,
  signal: AbortSignal,
  { lookup, idle }: TrackedLookup = trackedLookup(),
): Promise<Socket> {
  signal.throwIfAborted()
  const to = { host, port, lookup, keepAlive: true }
  const socket = tls === undefined ? connectPlain(to) : connectSecure({ ...tls, ...to })
  // whoever takes it over may be gone when it breaks
  socket.on('error', ignore)
  socket.unref()
  // of several addresses each attempt has a handle of its own
  socket.once('connect', () => socket.unref())
  let abort = ignore
  try {
    await new Promise<void>((resolve, reject) => {
      abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(resetError('the connection was closed before it was made')))
    })
    return socket
  } catch (error) {
    socket.destroy()
    await idle()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
