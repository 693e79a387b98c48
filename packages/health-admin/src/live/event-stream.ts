import type { ServerResponse } from 'node:http'
import { ALWAYS } from '../server/respond.ts'

/** One watcher's stream of server-sent events. */
export interface EventStream {
  /** Sends an event, unless the watcher is so far behind that it would have to be kept for it. */
  send(event: string, data: string): void
  /** Ends, after a last event where there is one. */
  end(last?: { readonly event: string; readonly data: string }): void
}

const HEADERS = {
  ...ALWAYS,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would keep events back until a buffer is full
  'x-accel-buffering': 'no',
}

/** `data` is one line. */
const write = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`

export function openEventStream(
  response: ServerResponse,
  { retryMs, bufferedBytes }: { readonly retryMs: number; readonly bufferedBytes: number },
): EventStream {
  // its connection ends with it
  response.shouldKeepAlive = false
  response.writeHead(200, HEADERS)
  response.write(`retry: ${retryMs}\n\n`)
  return {
    send: (event, data) => {
      if (!response.destroyed && response.writableLength <= bufferedBytes) response.write(write(event, data))
    },
    end: (last) => {
      if (!response.destroyed) response.end(last && write(last.event, last.data))
    },
  }
}
