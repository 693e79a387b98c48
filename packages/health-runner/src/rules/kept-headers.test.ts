import { expect, test } from 'vitest'
import { keptHeaders } from './kept-headers.ts'

const NONE: ReadonlySet<string> = new Set()
const kept = (headers: readonly string[], keep = NONE, client?: string): readonly string[] =>
  keptHeaders({ headers, client }, keep).filter(
    (_, index, all) => !/^x-forwarded-(proto|host)$/i.test(all[index - (index % 2)] ?? ''),
  )

test('keeps headers as they came, repeated ones too, and whom they came from', () => {
  const headers = [
    'Host',
    'a',
    'X-One',
    '1',
    'x-one',
    '2',
    'Content-Type',
    'text/plain',
    'Idempotency-Key',
    'k',
  ]
  expect(kept(headers)).toEqual(headers)
  expect(keptHeaders({ headers: ['Host', 'a'], client: '::ffff:10.0.0.1' }, NONE)).toEqual([
    ...['Host', 'a', 'X-Forwarded-For', '10.0.0.1'],
    ...['X-Forwarded-Proto', 'http', 'X-Forwarded-Host', 'a'],
  ])
})

test('drops what is about the connection, and what Connection names', () => {
  const dropped = [
    ['Connection', 'keep-alive, X-Mine'],
    ['connection', 'x-other , Host'],
    ['X-Mine', '1'],
    ['x-OTHER', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '3'],
    ['Expect', '100-continue'],
  ].flat()
  expect(kept(['Host', 'a', ...dropped, 'X-Kept', '1'])).toEqual(['Host', 'a', 'X-Kept', '1'])
})

test('drops what is said to the queue, and what a caller cannot say for it', () => {
  const dropped = [
    ['X-Baldur-Method', 'PUT'],
    ['X-Baldur-No-Retry', '1'],
    ['X-Baldur-Start-Timeout', '1'],
    ['X-Baldur-Request-Id', 'forged'],
    ['X-Baldur-Attempt', '7'],
  ].flat()
  expect(kept(dropped)).toEqual([])
})

test('keeps a secret only where somebody said so', () => {
  const secrets = ['Authorization', 'Bearer a', 'COOKIE', 'b=1', 'Proxy-Authorization', 'Basic c']
  expect(kept(secrets)).toEqual([])
  expect(kept(secrets, new Set(['cookie']))).toEqual(['COOKIE', 'b=1'])
  expect(kept(secrets, new Set(['authorization', 'cookie', 'proxy-authorization']))).toEqual(secrets)
})
