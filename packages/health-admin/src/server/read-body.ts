import type { IncomingMessage } from 'node:http'

/** The body as text; undefined when it is longer than `maxBytes`, or did not come whole. Reads no further than that. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const end = (text: string | undefined): void => {
      request.off('data', take).pause()
      resolve(text)
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes) end(undefined)
    }
    request.on('data', take)
    request.once('end', () => end(Buffer.concat(chunks).toString('utf8')))
    request.once('close', () => end(undefined))
    request.once('error', () => end(undefined))
  })
}
