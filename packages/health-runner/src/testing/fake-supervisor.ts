import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunnerWord } from '../control/protocol.ts'

/** A supervisor's control socket: real, and as deaf as a test wants it. */
export interface FakeSupervisor {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly RunnerWord[]
  close(): Promise<void>
}

/** `hears`: whether a word is acknowledged, and when. */
export async function fakeSupervisor(
  hears: (word: RunnerWord) => boolean | Promise<boolean> = () => true,
): Promise<FakeSupervisor> {
  const folder = await mkdtemp(join(tmpdir(), 'baldur-control-'))
  const path = join(folder, 'control')
  const words: RunnerWord[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', async (bytes) => {
      text += bytes.toString()
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const word = JSON.parse(line) as RunnerWord
        words.push(word)
        if (await hears(word)) socket.write('\n')
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(path, resolve)
  })
  return {
    path,
    env: { BALDUR_RUNNER_CONTROL: path, BALDUR_RUNNER_NAME: '1.1', PORT: '0' },
    words,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}
