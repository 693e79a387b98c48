import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { freePort } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { createFreePorts } from './free-ports.ts'
import { markedWith } from './keeper/process-table.mjs'
import { isSomebodyElses } from './port-owner.ts'
import { tryPort } from './try-port.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function listening(host?: string): Promise<number> {
  const server = createServer((socket) => socket.destroy())
  await once(server.listen(0, host), 'listening')
  ends.push(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('a port', () => {
  it('that a server has is open, and a free one is not', async () => {
    const clock = manualClock()
    expect(await tryPort(await listening('127.0.0.1'), clock)).toBe(true)
    expect(await tryPort(await freePort(), clock)).toBe(false)
    expect(clock.pending).toBe(0)
  })

  it('that a connection has met itself on is not open', async () => {
    const port = await freePort()
    expect(await tryPort(port, manualClock(), port)).toBe(false)
  })

  it('is another one each time, until it is given back', async () => {
    const ports = createFreePorts()
    const taken: number[] = []
    // so many that the system gives some of them more than once
    while (taken.length < 600) taken.push(await ports.take())
    expect(new Set(taken).size).toBe(600)
    // below the usual range of outgoing connections
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(20_000)
    expect(Math.max(...taken)).toBeLessThan(32_768)
    for (const port of taken) ports.release(port)
    expect(await ports.take()).toBeGreaterThan(0)
  })
})

describe('the owner of a port', () => {
  const child = async (code: string, mark: string) => {
    const one = spawn(process.execPath, ['-e', code], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { MARK: mark },
    })
    const pid = one.pid ?? 0
    ends.push(() => {
      for (const each of markedWith([`MARK=${mark}`])) process.kill(each, 'SIGKILL')
    })
    const [port] = await once(one.stdout, 'data')
    return { pid, port: Number(port) }
  }
  const listen = `require('node:net').createServer().listen(0, function () { console.log(this.address().port) })`
  const inChild = (options: string): string =>
    `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(listen)}], { stdio: 'inherit' ${options} })`

  it.each([
    ['the runner itself', listen],
    ['a process of its group', inChild('')],
    ['one that has left the group with its variables', inChild(', detached: true')],
  ])('is known when it is %s', async (_, code) => {
    const mark = `m${performance.now()}`
    const { pid, port } = await child(code, mark)
    expect(await isSomebodyElses(port, pid, [`MARK=${mark}`])).toBe(false)
  })

  it.each(['127.0.0.1', '0.0.0.0', undefined])('on %s is told from another program', async (host) => {
    const port = await listening(host)
    const { pid } = await child(listen, 'other')
    expect(await isSomebodyElses(port, pid, ['MARK=other'])).toBe(true)
    expect(await isSomebodyElses(port, process.pid, ['MARK=none'])).toBe(false)
  })

  it('is not told where nobody listens', async () => {
    expect(await isSomebodyElses(await freePort(), process.pid, [])).toBe(false)
  })
})
