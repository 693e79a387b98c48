import type { Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { DrainClock } from '../clock.ts'
import type { LongLived } from '../options.ts'

/** One open connection, as far as HTTP goes on it. */
interface Connection {
  readonly socket: Socket
  readonly acceptedAt: number
  /** The answers that are not complete, in the order of their requests, and whom to tell when the connection breaks. */
  readonly answers: Map<object, () => void>
  /** An answer has said `Connection: close`, and how many requests have come behind it. */
  isLast?: boolean
  behind: number
  hadRequest: boolean
  /** Bytes that belonged to answered requests, and to the TLS handshake. */
  settledBytes: number
  /** Of a request that is not complete: how many, and since when no more came. */
  lastBytes: number
  lastBytesAt: number
  /** When its end was sent. */
  endedAt?: number
  session?: Http2Session
  upgrade?: LongLived
}

export interface Connections {
  /** A socket was accepted; on a TLS server this is before its handshake. */
  accepted(socket: Socket): void
  /** The handshake is done: this is the connection now. */
  secured(socket: Socket): void
  /** Of the connection that was accepted or secured last: the server makes it at once. */
  session(session: Http2Session): void
  upgraded(socket: Socket, request: LongLived['request']): void
  /**
   * A request has come on it. `onBroken` hears when the connection breaks before the answer is complete, of which Node says
   * nothing to an answer that waits behind another. False when no answer can follow any more: nothing is dispatched then.
   */
  request(socket: Socket, answer: object, onBroken: () => void): boolean
  /** The answer is complete. */
  answered(socket: Socket, answer: object): void
  /** Its end comes by itself. */
  ending(socket: Socket): void
  /** Whether an answer may say `Connection: close`, after which Node sends no other: no request stands behind it. From then on none is dispatched. */
  markLastResponse(socket: Socket, answer: object): boolean
  readonly acceptedCount: number
  readonly size: number
  readonly upgrades: readonly LongLived[]
  /** Tells HTTP/2 clients to open no more streams here. */
  goAway(): void
  /** Ends what has nothing to do: silent, half a request that does not go on, HTTP/2 sessions, and, with `idle`, those between two requests. */
  sweep(idle: boolean): Promise<void>
  destroyAll(): void
}

const MOST_BEHIND = 100

/** Undefined on a Unix socket, whose connections have no names; there the raw socket below one of TLS is a private field. */
const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string | undefined =>
  remotePort === undefined ? undefined : `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createConnections(
  clock: DrainClock,
  { silentMs, halfOpenMs }: { readonly silentMs: number; readonly halfOpenMs: number },
): Connections {
  const open = new Map<Socket, Connection>()
  /** A TLS socket and the raw one below it, or a session's, are one connection with several faces. */
  const byName = new Map<string | undefined, Connection>()
  let acceptedCount = 0
  let latest: Connection | undefined

  const add = (socket: Socket, acceptedAt: number): Connection => {
    const known = open.get(socket)
    if (known !== undefined) return known
    const connection: Connection = {
      ...{ socket, acceptedAt, answers: new Map(), hadRequest: false, behind: 0 },
      ...{ settledBytes: socket.bytesRead, lastBytes: socket.bytesRead, lastBytesAt: clock.now() },
    }
    const name = nameOf(socket)
    open.set(socket, connection)
    if (name !== undefined) byName.set(name, connection)
    socket.once('close', () => {
      open.delete(socket)
      if (byName.get(name) === connection) byName.delete(name)
      for (const onBroken of [...connection.answers.values()]) onBroken()
    })
    return connection
  }

  const end = (connection: Connection): void => {
    connection.endedAt = clock.now()
    connection.socket.end()
  }
  /** After its last answer the connection comes to its end by itself. */
  const isIdle = ({ answers, isLast, session, upgrade, endedAt, socket }: Connection): boolean =>
    answers.size === 0 &&
    !isLast &&
    session === undefined &&
    upgrade === undefined &&
    endedAt === undefined &&
    !socket.destroyed

  /** Whether it may be ended: it has sent nothing, or nothing more, for long enough. */
  const isOver = (connection: Connection, idle: boolean): boolean => {
    if (!isIdle(connection)) return false
    const { socket, acceptedAt, hadRequest, settledBytes } = connection
    const now = clock.now()
    if (socket.bytesRead === settledBytes) return hadRequest ? idle : now - acceptedAt >= silentMs
    if (socket.bytesRead !== connection.lastBytes) {
      connection.lastBytes = socket.bytesRead
      connection.lastBytesAt = now
    }
    return now - connection.lastBytesAt >= silentMs
  }

  return {
    accepted: (socket) => {
      if (!open.has(socket)) acceptedCount += 1
      latest = add(socket, clock.now())
      // an offer that nobody took was given back to the parser
      delete latest.upgrade
    },
    secured: (socket) => {
      const { _parent: below } = socket as { _parent?: Socket }
      const name = nameOf(socket)
      const raw = name === undefined ? open.get(below as Socket) : byName.get(name)
      if (raw !== undefined) open.delete(raw.socket)
      latest = add(socket, raw?.acceptedAt ?? clock.now())
    },
    session: (session) => {
      if (latest !== undefined) latest.session = session
    },
    upgraded: (socket, request) => {
      add(socket, clock.now()).upgrade = { request, socket }
    },
    request: (socket, answer, onBroken) => {
      const connection = add(socket, clock.now())
      if (connection.endedAt !== undefined) socket.destroy()
      if (connection.isLast) {
        connection.behind += 1
        // Node keeps each of them until its turn, which never comes; an answer that is still under way gets some patience
        const most = connection.answers.size === 0 ? MOST_BEHIND : 10 * MOST_BEHIND
        if (connection.behind > most) socket.destroy()
      }
      if (connection.endedAt !== undefined || connection.isLast) return false
      connection.answers.set(answer, onBroken)
      connection.hadRequest = true
      return true
    },
    answered: (socket, answer) => {
      const connection = open.get(socket)
      if (connection?.answers.delete(answer)) connection.settledBytes = socket.bytesRead
    },
    ending: (socket) => {
      const connection = open.get(socket)
      if (connection !== undefined) connection.isLast = true
    },
    markLastResponse: (socket, answer) => {
      const connection = open.get(socket)
      if (connection === undefined) return true
      const isLast = [...connection.answers.keys()].at(-1) === answer
      if (isLast) connection.isLast = true
      return isLast
    },
    get acceptedCount() {
      return acceptedCount
    },
    get size() {
      return open.size
    },
    get upgrades() {
      return [...open.values()].flatMap(({ upgrade }) => (upgrade === undefined ? [] : [upgrade]))
    },
    goAway: () => {
      // the highest stream there can be: what is on its way is still served, a client opens no more
      for (const { session } of open.values()) if (!session?.destroyed) session?.goaway(0, 2 ** 31 - 1)
    },
    sweep: async (idle) => {
      for (const connection of open.values()) {
        const { session, socket } = connection
        // a session ends its socket when its last stream has ended, and would wait for ever for a client that sleeps
        if (session?.destroyed && socket.writableFinished) connection.endedAt ??= clock.now()
        const { endedAt } = connection
        if (endedAt !== undefined && clock.now() - endedAt >= halfOpenMs) socket.destroy()
        else if (idle && session !== undefined && !session.closed) session.close()
      }
      const over = [...open.values()].filter((connection) => isOver(connection, idle))
      if (over.length === 0) return
      // what the kernel holds of a request is read in the next turn, and shows here
      const bytes = over.map(({ socket }) => socket.bytesRead)
      await turn()
      over.forEach((connection, index) => {
        if (isIdle(connection) && connection.socket.bytesRead === bytes[index]) end(connection)
      })
    },
    destroyAll: () => {
      for (const { session, socket } of open.values()) {
        session?.destroy()
        socket.destroy()
      }
    },
  }
}
