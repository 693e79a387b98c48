import { expect, test } from 'vitest'
import { requestUrls } from './request-urls.ts'

const base = (host?: string, forwardedProto?: string, isEncrypted = false): string =>
  requestUrls('ID', { host, forwardedProto, isEncrypted }).response_url

test('names the three of a request', () => {
  expect(requestUrls('ID', { host: 'a:1', forwardedProto: undefined, isEncrypted: false })).toEqual({
    status_url: 'http://a:1/queue/requests/ID/status',
    response_url: 'http://a:1/queue/requests/ID',
    cancel_url: 'http://a:1/queue/requests/ID/cancel',
  })
})

test.each([
  ['api.example', undefined, 'http://api.example'],
  ['[::1]:8080', undefined, 'http://[::1]:8080'],
  ['api.example', 'https', 'https://api.example'],
  ['api.example', 'HTTPS, http', 'https://api.example'],
  ['api.example', 'javascript', 'http://api.example'],
  ['api.example', '', 'http://api.example'],
])('%s, forwarded as %s', (host, proto, origin) => {
  expect(base(host, proto)).toBe(`${origin}/queue/requests/ID`)
})

test('is https on a connection that is', () => {
  expect(base('a', undefined, true)).toBe('https://a/queue/requests/ID')
  expect(base('a', 'http', true)).toBe('http://a/queue/requests/ID')
})

test.each([undefined, '', 'a/b', 'a@b', 'a b', 'a:x', 'a:123456', '"', '[::1', 'a\\b'])(
  'is a path alone where the host is %j',
  (host) => {
    expect(base(host)).toBe('/queue/requests/ID')
  },
)
