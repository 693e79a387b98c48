import { expect, test } from 'vitest'
import { keptHeaders } from './kept-headers.ts'

const NONE: ReadonlySet<string> = new Set()

test('keeps headers as they came, repeated ones too', () => {
  const headers = [
    'Host',
    'a.example',
    'X-One',
    '1',
    'x-one',
    '2',
    'Content-Type',
    'text/plain',
    'Idempotency-Key',
    'k',
  ]
  expect(keptHeaders(headers, NONE)).toEqual(headers)
})

test('drops what is about the connection, and what Connection names', () => {
  const dropped = [
    ['Connection', 'keep-alive, X-Mine'],
    ['connection', 'x-other , Host'],
    ['X-Mine', '1'],
    ['x-OTHER', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Connection', 'keep-alive'],
    ['TE', 'trailers'],
    ['Trailer', 'x'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
    ['Content-Length', '3'],
    ['Expect', '100-continue'],
  ].flat()
  expect(keptHeaders(['Host', 'a', ...dropped, 'X-Kept', '1'], NONE)).toEqual(['Host', 'a', 'X-Kept', '1'])
})

test('drops what is said to the queue, and what a caller cannot say for it', () => {
  const dropped = [
    ['X-Baldur-Method', 'PUT'],
    ['X-Baldur-No-Retry', '1'],
    ['X-Baldur-Start-Timeout', '1'],
    ['X-Baldur-Request-Id', 'forged'],
    ['X-Baldur-Attempt', '7'],
  ].flat()
  expect(keptHeaders(dropped, NONE)).toEqual([])
})

test('keeps a secret only where somebody said so', () => {
  const secrets = ['Authorization', 'Bearer a', 'COOKIE', 'b=1', 'Proxy-Authorization', 'Basic c']
  expect(keptHeaders(secrets, NONE)).toEqual([])
  expect(keptHeaders(secrets, new Set(['cookie']))).toEqual(['COOKIE', 'b=1'])
  expect(keptHeaders(secrets, new Set(['authorization', 'cookie', 'proxy-authorization']))).toEqual(secrets)
})
