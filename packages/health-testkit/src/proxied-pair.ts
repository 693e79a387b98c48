import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the link does to every connection at this moment. */
export interface Link {
  delayMs: number
  /** Swallows bytes and ends, in both directions. */
  silent: boolean
}

/** How much of the server's answers gets through on one connection, and how it ends. */
export interface AnswerLimit {
  bytes: number
  ending: 'stall' | 'cut'
}

/** A client's connection and the proxy's own to the server. */
export interface ProxiedPair {
  /** Whether the client still holds its side open. */
  readonly open: boolean
  /** Cuts both sides with a TCP reset. */
  cut(): void
  /** The link is whole again: a limit not yet reached is lifted, and an end that was swallowed is made up for. */
  heal(): void
}

// A reset overtakes unread bytes, and Node reports the two as a plain end when it sees both at once.
const CUT_PAUSE_MS = 20

/** Carries bytes and ends between the two sockets, each direction in order, as the link of the moment allows. */
export function proxiedPair(client: Socket, server: Socket, link: Link, limit?: AnswerLimit): ProxiedPair {
  let left = limit?.bytes ?? Number.POSITIVE_INFINITY
  let stalled = false
  let endSwallowed = false

  const cut = () => {
    reset(client)
    reset(server)
  }
  const answer = (chunk: Buffer) => {
    const part = chunk.subarray(0, left)
    left -= part.length
    if (left > 0) return client.write(part)
    stalled = true
    return client.write(part, () => {
      if (limit?.ending === 'cut') setTimeout(() => setImmediate(cut), CUT_PAUSE_MS)
    })
  }
  carry(client, server, link, {
    muted: () => link.silent,
    write: (chunk) => server.write(chunk),
    onSwallowedEnd: () => {
      endSwallowed = true
    },
  })
  carry(server, client, link, {
    muted: () => link.silent || stalled,
    write: answer,
    onSwallowedEnd: () => {
      endSwallowed ||= !stalled
    },
  })

  return {
    get open() {
      return !client.destroyed && !client.readableEnded
    },
    cut,
    heal() {
      if (endSwallowed) cut()
      if (!stalled) left = Number.POSITIVE_INFINITY
    },
  }
}

interface Direction {
  muted(): boolean
  write(chunk: Buffer): void
  onSwallowedEnd(): void
}

function carry(from: Socket, to: Socket, link: Link, { muted, write, onSwallowedEnd }: Direction): void {
  let inOrder = Promise.resolve()
  const later = (act: () => void) => {
    const due = performance.now() + link.delayMs
    inOrder = inOrder.then(async () => {
      const waitMs = due - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      if (!muted() && !to.destroyed) act()
    })
  }
  from.on('data', (chunk: Buffer) => {
    if (!muted()) later(() => write(chunk))
  })
  from.on('end', () => {
    if (muted()) onSwallowedEnd()
    else later(() => to.end())
  })
  from.on('error', () => {
    if (muted()) onSwallowedEnd()
    else reset(to)
  })
}

function reset(socket: Socket): void {
  // with an end outstanding Node would refuse the reset and never close the handle
  if (socket.connecting || (socket.writableEnded && !socket.writableFinished)) socket.destroy()
  else socket.resetAndDestroy()
}
