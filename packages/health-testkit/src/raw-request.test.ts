import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RawHeader } from './raw-head.ts'
import { type RawRequestOptions, rawRequest } from './raw-request.ts'

/** Answers with the request it got, once that ends in a full stop. */
let mirror: Server
let port: number

beforeAll(async () => {
  mirror = createServer((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (/\r\n\r\n$|\.$/.test(text)) socket.end(`HTTP/1.1 200 OK\r\n\r\n${text}`)
    })
  })
  await once(mirror.listen(0, '127.0.0.1'), 'listening')
  port = (mirror.address() as AddressInfo).port
})
afterAll(() => mirror.close())

const sent = async (options: Omit<RawRequestOptions, 'port'>) => (await rawRequest({ port, ...options })).body

describe('rawRequest', () => {
  it('makes a request that closes its connection', async () => {
    expect(await sent({})).toBe(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
  })

  it('sends method, target, version and headers as they are given', async () => {
    const headers: RawHeader[] = [
      ['hOST', 'a'],
      ['X', '1'],
      ['X', '2'],
      ['connection', 'keep-alive'],
    ]
    expect(await sent({ method: 'oDD', path: '*?//', httpVersion: '1.0', headers })).toBe(
      'oDD *?// HTTP/1.0\r\nhOST: a\r\nX: 1\r\nX: 2\r\nconnection: keep-alive\r\n\r\n',
    )
  })

  it('sends another Host or none', async () => {
    expect(await sent({ hostHeader: 'b' })).toContain('\r\nHost: b\r\n')
    expect(await sent({ hostHeader: false })).not.toMatch(/host/i)
  })

  it('adds the length of a body unless told otherwise', async () => {
    expect(await sent({ method: 'POST', body: 'two.' })).toMatch(/\r\nContent-Length: 4\r\n\r\ntwo\.$/)
    expect(await sent({ body: 'two.', headers: { 'content-length': '9' } })).not.toContain(
      'Content-Length: 4',
    )
  })
})
