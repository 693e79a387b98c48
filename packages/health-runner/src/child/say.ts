import { connect } from 'node:net'
import type { Clock } from '@baldur/health-core'
import type { RunnerWord } from '../control/protocol.ts'

/** What came of saying something. `unheard`: no acknowledgement in time. `gone`: nobody is there. */
export type Heard = 'acknowledged' | 'unheard' | 'gone'

/** Says one word to the supervisor, over a connection of its own, and waits for its acknowledgement. Never rejects. */
export function say(
  path: string,
  word: RunnerWord,
  { clock, withinMs }: { readonly clock: Clock; readonly withinMs: number },
): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (heard: Heard): void => {
      cancel()
      socket.destroy()
      resolve(heard)
    }
    const cancel = clock.after(withinMs, () => end('unheard'))
    socket.on('error', () => end('gone'))
    socket.on('close', () => end('gone'))
    socket.on('data', (bytes) => {
      if (bytes.includes('\n')) end('acknowledged')
    })
    socket.write(`${JSON.stringify(word)}\n`)
  })
}
