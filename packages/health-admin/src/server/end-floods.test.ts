import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rawConnection } from 'health-testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endFloods } from './end-floods.ts'

let made = 0
const server = createServer(async (request, response) => {
  made += 1
  let body = ''
  for await (const chunk of request) body += String(chunk)
  response.end(body)
})
beforeAll(async () => {
  endFloods(server, 8)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const open = () => rawConnection({ port: (server.address() as AddressInfo).port })
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

test('a piece with more requests than anybody needs ends its connection, and none of them is made', async () => {
  const connection = await open()
  connection.send(GET)
  expect((await connection.read()).status).toBe(200)
  const before = made
  connection.send(GET.repeat(1_000))
  await connection.closed()
  expect(made).toBe(before)
})

test('a few at a time are answered, again and again, in order', async () => {
  const connection = await open()
  for (let round = 0; round < 20; round++) {
    connection.send(GET.repeat(8))
    for (let i = 0; i < 8; i++) expect((await connection.read()).status).toBe(200)
  }
  connection.close()
})

test('a body comes whole, also in pieces and with blank lines in it', async () => {
  const connection = await open()
  const body = `${'x'.repeat(30_000)}\r\n\r\n${'y'.repeat(300_000)}\r\n\r\n`
  connection.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
  for (let at = 0; at < body.length; at += 10_000) connection.send(body.slice(at, at + 10_000))
  expect((await connection.read()).body).toBe(body)
  connection.close()
})
