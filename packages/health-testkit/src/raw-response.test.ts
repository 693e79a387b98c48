import { describe, expect, it } from 'vitest'
import { type ParseContext, parseResponse } from './raw-response.ts'

const parse = (text: string, context: Partial<ParseContext> = {}) =>
  parseResponse(Buffer.from(text), { method: 'GET', ended: false, ...context })

function response(text: string, context: Partial<ParseContext> = {}) {
  const parsed = parse(text, context)
  if ('missing' in parsed) throw new Error(`incomplete, missing ${parsed.missing}`)
  return parsed.response
}

describe('parseResponse', () => {
  it('keeps status line and headers as they came', () => {
    expect(response('HTTP/1.0 503 Not  Now\r\nx-A: 1\r\nX-a:2 \r\nContent-Length: 0\r\n\r\n')).toMatchObject({
      httpVersion: '1.0',
      status: 503,
      reason: 'Not  Now',
      rawHeaders: [
        ['x-A', '1'],
        ['X-a', '2'],
        ['Content-Length', '0'],
      ],
    })
  })

  it('finds headers whatever their case', () => {
    const { header } = response('HTTP/1.1 204\r\nVia: a\r\nVIA: b\r\n\r\n')
    expect([header('via'), header('age')]).toEqual(['a, b', undefined])
  })

  it.each([
    ['its length', 'Content-Length: 5\r\n\r\nhello', {}, 'hello', 'length'],
    [
      'its chunks',
      'Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
      {},
      'hello',
      'chunked',
    ],
    [
      'chunks over length',
      'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      {},
      '',
      'chunked',
    ],
    ['the end of the connection', '\r\nhello', { ended: true }, 'hello', 'close'],
    ['HEAD', 'Content-Length: 5\r\n\r\n', { method: 'HEAD' }, '', 'none'],
    ['characters of several bytes', 'Content-Length: 3\r\n\r\n€', {}, '€', 'length'],
  ] as const)('ends the body by %s', (_, rest, context, body, framing) => {
    const text = `HTTP/1.1 200 OK\r\n${rest}`
    const given = response(text, context)
    expect([given.body, given.framing]).toEqual([body, framing])
    expect(given.raw).toBe(Buffer.from(text).toString('latin1'))
  })

  it.each([204, 304])('reads no body after %i', (status) => {
    expect(parse(`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\nrest`)).toMatchObject({
      response: { body: '', framing: 'none' },
      length: 37,
    })
  })

  it('takes no byte of the next response', () => {
    const first = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na'
    expect(parse(`${first}HTTP/1.1 500 X`)).toMatchObject({ length: first.length, response: { raw: first } })
  })

  it('records 1xx responses and goes on', () => {
    const given = response(
      'HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 OK\r\n\r\n',
    )
    expect(given.status).toBe(204)
    expect(given.informational.map(({ status }) => status)).toEqual([103, 100])
  })

  it('reads trailers', () => {
    const given = response(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-T: y\r\n\r\n',
    )
    expect(given.trailers).toEqual([['X-T', 'y']])
  })

  it('says what is missing for every cut of a response', () => {
    const whole =
      'HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n'
    for (let length = 0; length < whole.length; length += 1) {
      expect(parse(whole.slice(0, length))).toHaveProperty('missing')
    }
    expect(parse(whole)).toHaveProperty('response.body', 'abc')
    expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')).toEqual({
      missing: '3 of the 5 bytes of the body',
    })
    expect(parse('HTTP/1.1 200 OK\r\n\r\nab')).toEqual({
      missing: 'the end of the connection, which ends the body',
    })
  })

  it.each([
    ['SSH-2.0\r\n\r\n', 'not an HTTP status line: "SSH-2.0"'],
    ['HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'not an HTTP header: "nonsense"'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na', 'not a content length: "1, 1"'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'not a chunk size: "xyz"'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc', 'a chunk is longer than its size'],
  ])('throws on %j', (text, message) => {
    expect(() => parse(text)).toThrow(message)
  })
})
