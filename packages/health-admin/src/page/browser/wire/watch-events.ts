import { SILENCE_MS } from '../rules/link.ts'
import { eventParser, type StreamEvent } from '../rules/parse-events.ts'
import { keyHeader } from './key-header.ts'

/** Who hears of a stream; after `refused`, `crowded` or `ended` no more comes of it. */
export interface StreamListener {
  event(event: StreamEvent): void
  refused(): void
  crowded(): void
  ended(why: string): void
}

/** Opens the stream of events and reads it to its end; the function that it gives ends it, and nothing is told then. */
export function watchEvents(key: string | undefined, listener: StreamListener): () => void {
  const stop = new AbortController()
  // what accepts, even greets, and then says nothing is no server
  const patience = setTimeout(() => end('No answer'), SILENCE_MS)
  const end = (why: string): void => {
    if (stop.signal.aborted) return
    close()
    listener.ended(why)
  }
  const close = (): void => {
    clearTimeout(patience)
    stop.abort()
  }

  async function read(): Promise<void> {
    const headers = { accept: 'text/event-stream', ...keyHeader(key) }
    const response = await fetch('events', {
      headers,
      signal: stop.signal,
      cache: 'no-store',
      redirect: 'error',
    })
    if (response.status === 401) {
      close()
      return listener.refused()
    }
    if (await isBusy(response)) {
      close()
      return listener.crowded()
    }
    const type = response.headers.get('content-type') ?? 'no type'
    if (!response.ok || response.body === null || !type.startsWith('text/event-stream'))
      return end(`Unexpected answer: ${response.status} ${type}`)
    await pass(response.body)
    end('The server has ended the stream')
  }

  async function pass(body: ReadableStream<Uint8Array>): Promise<void> {
    const [parse, decoder, reader] = [eventParser(), new TextDecoder(), body.getReader()]
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (const event of parse(decoder.decode(value, { stream: true }))) {
        if (event.name !== 'hello') clearTimeout(patience)
        if (stop.signal.aborted) return
        tell(event)
      }
    }
  }

  /** What cannot be shown is a fault of ours, not of the connection. */
  function tell(event: StreamEvent): void {
    try {
      listener.event(event)
    } catch (error) {
      reportError(error)
      end('This page could not read what came')
    }
  }

  read().catch(() => end('No connection to the server'))
  return close
}

/** Whether there are too many watchers; a proxy's 503 says something else. */
const isBusy = async (response: Response): Promise<boolean> =>
  response.status === 503 && /"status":\s*"busy"/.test(await response.text())
