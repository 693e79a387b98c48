import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Logger } from '@baldur/health-core'
import type { RunnerWord } from '../control/protocol.ts'
import { FIXED } from '../settings/defaults.ts'
import { readWord } from './read-word.ts'

type Hear = (word: RunnerWord) => void

/** Where runners say how their start goes. */
export interface ControlServer {
  /** The words of the runner of this name go to `hear`. Returns what ends that. */
  expect(name: string, hear: Hear): () => void
  close(): void
}

/** Listens on a Unix socket. Rejects when it cannot. */
export async function openControl(path: string, logger: Logger): Promise<ControlServer> {
  const hearers = new Map<string, Hear>()
  const sockets = new Set<Socket>()

  const serve = (socket: Socket): void => {
    let text = ''
    sockets.add(socket)
    socket.setEncoding('utf8')
    socket.once('close', () => sockets.delete(socket))
    // a runner that ends in mid-word says so by its exit
    socket.on('error', (error) => logger.debug(`runner: a control connection: ${error.message}`))
    socket.on('data', (piece: string) => {
      const lines = (text + piece).split('\n')
      text = lines.pop() ?? ''
      if (text.length > FIXED.wordBytes) lines.push(text)
      for (const line of lines) {
        const word = readWord(line)
        if (word === undefined) {
          logger.warn('runner: a control connection said what nobody understands, and was closed')
          socket.destroy()
          return
        }
        hearers.get(word.name)?.(word)
        socket.write('\n')
      }
    })
  }
  const server = createServer(serve)
  // the runners' own handles keep this process alive
  server.unref()
  server.maxConnections = FIXED.controlConnections
  server.listen(path)
  await once(server, 'listening')
  server.on('error', (error) => logger.error(`runner: the control socket: ${error.message}`))

  return {
    expect: (name, hear) => {
      hearers.set(name, hear)
      return () => hearers.delete(name)
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
