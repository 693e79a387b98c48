import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

test('a name that turns out to be no loopback address is refused where it has to be one, and nothing listens', async () => {
  const server = createServer()
  // as a hosts file would have it for localhost
  const listening = listen(server, { host: '0.0.0.0', port: 0, mustBeLoopback: true })
  await expect(listening).rejects.toThrow('admin: 0.0.0.0 is 0.0.0.0, which is not loopback')
  expect(server.listening).toBe(false)
})

test('gives an address that a client can ask', async () => {
  for (const [host, url] of [
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['::', /^http:\/\/\[::1\]:\d+$/],
    ['0:0:0:0:0:0:0:0', /^http:\/\/\[::1\]:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
  ] as const) {
    const server = createServer()
    expect(await listen(server, { host, port: 0, mustBeLoopback: false })).toMatch(url)
    server.close()
    await once(server, 'close')
  }
})
