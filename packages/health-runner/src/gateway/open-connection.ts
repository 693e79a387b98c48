import { connect, type Socket } from 'node:net'
import type { Clock } from '@baldur/health-core'
import { CONNECT_TIMED_OUT, RUNNER_RESET } from '../rules/classify-break.ts'
import { FIXED } from '../settings/defaults.ts'
import type { RunnerAddress } from '../vocabulary/fleet.ts'

/** An error with a code. */
function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

type Written = (error?: Error | null) => void

/**
 * A write that fails says only that the runner reads no more. What it has answered before is still to be read, and the
 * end of that says how it was meant: a runner that refuses a long body answers first, and then closes.
 */
function readOnAfterBrokenWrite(socket: Socket): void {
  let isDeaf = false
  const heard =
    (written: Written): Written =>
    (error) => {
      if (error) isDeaf = true
      written()
    }
  const { _write: write, _writev: writev } = socket
  socket._write = (chunk, encoding, written) => {
    if (isDeaf) written()
    else write.call(socket, chunk, encoding, heard(written))
  }
  if (writev === undefined) return
  socket._writev = (chunks, written) => {
    if (isDeaf) written()
    else writev.call(socket, chunks, heard(written))
  }
}

/**
 * Opens a connection to a runner. `onOpen` is called once, later. Errors that come after it are for whoever listens then;
 * one listener is always there.
 */
export function openConnection(
  { host, port }: RunnerAddress,
  { clock, allowHalfOpen = false }: { readonly clock: Clock; readonly allowHalfOpen?: boolean },
  onOpen: (...outcome: [error: Error, socket: null] | [error: null, socket: Socket]) => void,
): Socket {
  const socket = connect({ host, port, allowHalfOpen, noDelay: true })
  const giveUp = clock.after(FIXED.connectTimeoutMs, () =>
    socket.destroy(coded(CONNECT_TIMED_OUT, `no connection within ${FIXED.connectTimeoutMs} ms`)),
  )
  let isTold = false
  const tell: typeof onOpen = (...outcome) => {
    if (isTold) return
    isTold = true
    giveUp()
    onOpen(...outcome)
  }
  readOnAfterBrokenWrite(socket)
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // undici takes a reset for the end of an answer that has no length, and asserts in its listener where it was paused: it would end this process
    if (error.code === 'ECONNRESET') error.code = RUNNER_RESET
    tell(error, null)
  })
  socket.once('close', () => {
    // an error is dear: it takes a picture of the stack
    if (!isTold) tell(coded('ECONNABORTED', 'the connection was given up'), null)
  })
  socket.once('connect', () => {
    // a connection to a free port can connect to itself
    if (socket.localPort === socket.remotePort && socket.localAddress === socket.remoteAddress) {
      socket.destroy(coded('ECONNREFUSED', `nobody listens on ${host}:${port}`))
    } else tell(null, socket)
  })
  return socket
}
