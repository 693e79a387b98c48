import { parseChunks } from './chunked-body.ts'
import { CRLF, headerValue, parseHead, type RawHead, type RawHeader } from './raw-head.ts'

/** One HTTP/1.x response as it came over the wire. */
export interface RawResponse extends RawHead {
  /** The value of a header, whatever its case; several are joined by `, `. */
  header(name: string): string | undefined
  /** Without chunk framing, read as UTF-8. */
  body: string
  bodyBytes: Buffer
  /** What ended the body: nothing (there is none), its length, the last chunk, or the end of the connection. */
  framing: 'none' | 'length' | 'chunked' | 'close'
  trailers: RawHeader[]
  /** The 1xx responses that came before it. */
  informational: RawHead[]
  /** Every byte of it, one character each (latin1), the 1xx responses included. */
  raw: string
}

export interface ParseContext {
  /** Of the request: a response to HEAD has no body whatever its headers say. */
  method: string
  /** Whether the connection has ended: only then is a body without a length complete. */
  ended: boolean
}

type Parsed = { response: RawResponse; length: number } | { missing: string }

type Body = Pick<RawResponse, 'bodyBytes' | 'framing' | 'trailers'> & { end: number }

const BLANK_LINE = CRLF + CRLF

/** Reads one response from the start of the bytes, or says what is still missing; throws on what is not HTTP/1.x. */
export function parseResponse(bytes: Buffer, context: ParseContext): Parsed {
  const informational: RawHead[] = []
  let start = 0
  for (;;) {
    const headEnd = bytes.indexOf(BLANK_LINE, start)
    if (headEnd < 0) return { missing: 'the end of the headers' }
    const head = parseHead(bytes.toString('latin1', start, headEnd))
    start = headEnd + BLANK_LINE.length
    if (head.status >= 200 || head.status === 101) {
      const body = parseBody(bytes, start, head, context)
      return 'missing' in body ? body : whole(bytes, informational, head, body)
    }
    informational.push(head)
  }
}

function whole(bytes: Buffer, informational: RawHead[], head: RawHead, { end, ...body }: Body): Parsed {
  const response = {
    ...head,
    ...body,
    header: (name: string) => headerValue(head.rawHeaders, name),
    body: body.bodyBytes.toString('utf8'),
    informational,
    raw: bytes.toString('latin1', 0, end),
  }
  return { response, length: end }
}

function parseBody(
  bytes: Buffer,
  start: number,
  { status, rawHeaders }: RawHead,
  { method, ended }: ParseContext,
): Body | { missing: string } {
  const upTo = (end: number, framing: Body['framing']): Body => {
    return { bodyBytes: bytes.subarray(start, end), framing, trailers: [], end }
  }
  if (method === 'HEAD' || [101, 204, 304].includes(status)) return upTo(start, 'none')
  if (/\bchunked$/i.test(headerValue(rawHeaders, 'transfer-encoding') ?? '')) {
    const chunks = parseChunks(bytes, start)
    return 'missing' in chunks ? chunks : { ...chunks, framing: 'chunked' }
  }
  const length = headerValue(rawHeaders, 'content-length')
  if (length === undefined) {
    return ended ? upTo(bytes.length, 'close') : { missing: 'the end of the connection, which ends the body' }
  }
  if (!/^\d+$/.test(length)) throw new Error(`not a content length: ${JSON.stringify(length)}`)
  const end = start + Number(length)
  if (bytes.length >= end) return upTo(end, 'length')
  return { missing: `${end - bytes.length} of the ${length} bytes of the body` }
}
