import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface BareResponse {
  readonly response: ServerResponse
  /** Lets go of the connection, which is another's from now on. */
  detach(): void
}

/** An answer on a connection that Node has handed over with an offer of an upgrade. The connection ends with it. */
export function bareResponse(request: IncomingMessage, socket: Socket): BareResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  // Node does all of this for those connections that it has kept
  const onDrain = (): void => void response.emit('drain')
  const onFinish = (): void => socket.destroySoon()
  const onTimeout = (): void => void socket.destroy()
  socket.on('drain', onDrain).on('timeout', onTimeout)
  response.once('finish', onFinish)
  return {
    response,
    detach: () => {
      socket.off('drain', onDrain).off('timeout', onTimeout)
      response.off('finish', onFinish)
      response.detachSocket(socket)
    },
  }
}
