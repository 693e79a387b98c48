export type RawHeader = [name: string, value: string]

/** A status line and headers as they came, in their order and spelling. */
export interface RawHead {
  httpVersion: string
  status: number
  reason: string
  rawHeaders: RawHeader[]
}

export const CRLF = '\r\n'

/** Reads a response's head, without the blank line that ends it; throws on what is not HTTP/1.x. */
export function parseHead(text: string): RawHead {
  const [statusLine = '', ...lines] = text.split(CRLF)
  const match = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/.exec(statusLine)
  if (match === null) throw new Error(`not an HTTP status line: ${JSON.stringify(statusLine)}`)
  const [, httpVersion = '', status, reason = ''] = match
  return { httpVersion, status: Number(status), reason, rawHeaders: lines.map(parseHeader) }
}

/** Reads one header or trailer line. */
export function parseHeader(line: string): RawHeader {
  const colon = line.indexOf(':')
  if (colon < 1) throw new Error(`not an HTTP header: ${JSON.stringify(line)}`)
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

/** The value of a header, whatever its case; several are joined by `, `. */
export function headerValue(headers: readonly RawHeader[], name: string): string | undefined {
  const values = headers
    .filter(([other]) => other.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}
