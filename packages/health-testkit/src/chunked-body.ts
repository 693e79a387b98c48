import { CRLF, parseHeader, type RawHeader } from './raw-head.ts'

export interface ChunkedBody {
  bodyBytes: Buffer
  trailers: RawHeader[]
  /** Where in the bytes it ends. */
  end: number
}

/** Reads a chunked body that begins at `start`, or says what is still missing; throws on bad framing. */
export function parseChunks(bytes: Buffer, start: number): ChunkedBody | { missing: string } {
  const chunks: Buffer[] = []
  let position = start
  for (;;) {
    const lineEnd = bytes.indexOf(CRLF, position)
    if (lineEnd < 0) return { missing: 'the size of the next chunk' }
    const size = chunkSize(bytes.toString('latin1', position, lineEnd))
    const dataStart = lineEnd + CRLF.length
    if (size === 0) return parseTrailers(bytes, dataStart, Buffer.concat(chunks))
    const dataEnd = dataStart + size
    position = dataEnd + CRLF.length
    if (bytes.length < position) return { missing: `the rest of a chunk of ${size} bytes` }
    if (bytes.toString('latin1', dataEnd, position) !== CRLF) {
      throw new Error('a chunk is longer than its size')
    }
    chunks.push(bytes.subarray(dataStart, dataEnd))
  }
}

function chunkSize(line: string): number {
  const digits = /^([\da-f]+)\s*(?:;.*)?$/i.exec(line)?.[1]
  if (digits === undefined) throw new Error(`not a chunk size: ${JSON.stringify(line)}`)
  return Number.parseInt(digits, 16)
}

function parseTrailers(bytes: Buffer, start: number, bodyBytes: Buffer): ChunkedBody | { missing: string } {
  const trailers: RawHeader[] = []
  let position = start
  for (;;) {
    const lineEnd = bytes.indexOf(CRLF, position)
    if (lineEnd < 0) return { missing: 'the blank line after the last chunk' }
    const line = bytes.toString('latin1', position, lineEnd)
    position = lineEnd + CRLF.length
    if (line === '') return { bodyBytes, trailers, end: position }
    trailers.push(parseHeader(line))
  }
}
