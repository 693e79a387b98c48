import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { spawnApp } from 'health-testkit'
import { expect, test } from 'vitest'
import { byteServer } from './run-checks.ts'

test('no check keeps a process alive: neither a kept connection, nor one that waits, nor the watch of the event loop', async () => {
  let once = 0
  const http = createServer((request, response) => {
    if (request.url === '/once') once += 1
    if (request.url !== '/once' || once === 1) response.end('ok')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const silent = await byteServer((socket) => void socket.resume())
  const { port } = http.address() as AddressInfo
  const app = await spawnApp({
    args: [fileURLToPath(new URL('checks-alone.mjs', import.meta.url)), String(port), String(silent.port)],
  })
  const began = performance.timeOrigin + performance.now()
  const { code, ms } = await app.exited
  expect([code, app.stderr]).toEqual([0, []])
  expect(app.stdout.join('')).not.toMatch(/not_ready|timed_out/)
  expect([silent.opened, once]).toEqual([2, 2])
  const doneAt = Number(app.lines.at(-1)?.split(' ').at(-1))
  expect(began + ms - doneAt).toBeLessThan(300 + 200)
  await silent.close()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})
