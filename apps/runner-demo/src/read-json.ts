import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 100_000

const refused = (status: number, message: string): Error => Object.assign(new Error(message), { status })

/** The JSON of a request's body; throws a 400 for what is none, a 413 for what is too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BYTES) throw refused(413, `body: at most ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    throw refused(400, 'body: expected JSON')
  }
}
