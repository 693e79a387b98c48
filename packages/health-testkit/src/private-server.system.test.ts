// @module-tag mariadbd
// @module-tag redis-server
import { existsSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromSource } from './from-source.ts'
import { isAlive } from './is-alive.ts'
import { startMariadb } from './mariadb.ts'
import type { PrivateServer } from './private-server.ts'
import { type RawConnection, rawConnection } from './raw-connection.ts'
import { redisConfig, startRedis } from './redis.ts'
import { spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

let server: PrivateServer
const connections: RawConnection[] = []

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close()
  await server?.stop()
})

/** Says something on a new connection and waits for words in the answer; MariaDB greets by itself. */
async function hear(port: number, say: string, words: string): Promise<RawConnection> {
  const connection = await rawConnection({ port })
  connections.push(connection)
  if (say !== '') connection.send(say)
  await until(() => connection.unread.includes(words), { message: `${words} in ${connection.unread}` })
  return connection
}

describe.each([
  { name: 'startRedis', start: startRedis, say: 'PING\r\n', words: '+PONG', variable: 'TEST_REDIS_BIN' },
  { name: 'startMariadb', start: startMariadb, say: '', words: 'MariaDB', variable: 'TEST_MARIADB_BIN' },
])('$name', ({ name, start, say, words, variable }) => {
  // it may have to be installed first
  beforeAll(async () => (await start()).stop(), 180_000)

  it('serves on loopback; paused it accepts and says nothing, resumed it answers what was asked meanwhile', async () => {
    server = await start()
    expect(server.url).toContain(`127.0.0.1:${server.port}`)
    await hear(server.port, say, words)
    await server.pause()
    const held = await rawConnection({ port: server.port })
    connections.push(held)
    if (say !== '') held.send(say)
    await expect(until(() => held.unread !== '', { timeoutMs: 300 })).rejects.toThrow('waited 300 ms')
    await server.resume()
    await until(() => held.unread.includes(words))
  })

  it('crashed it refuses; restarted it is another process on the same port, also when it was paused', async () => {
    server = await start()
    const { pid, port } = server
    await server.crash()
    expect(isAlive(pid)).toBe(false)
    await expect(rawConnection({ port })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.restart()
    expect(server.pid).not.toBe(pid)
    await server.pause()
    await server.restart()
    await hear(port, say, words)
  })

  it('stopped it takes its folder with it, and cannot be started again', async () => {
    server = await start()
    await server.stop({ keepDir: true })
    await server.restart()
    await server.stop()
    expect(existsSync(server.dir)).toBe(false)
    await expect(server.restart()).rejects.toThrow('its folder removed')
  })

  it('rejects with its words when it does not start, and where the program is not', async () => {
    await expect(start({ settings: { 'no-such-setting': 'x' } })).rejects.toThrow(
      /did not start: .*no-such-setting/s,
    )
    server = await start()
    await expect(start({ port: server.port })).rejects.toThrow(/did not start: .*[Aa]ddress already in use/s)
    vi.stubEnv('TEST_REDIS_BIN', '/no/such/file')
    if (name === 'startRedis') await expect(start()).rejects.toThrow(`${variable} is /no/such/file`)
    vi.unstubAllEnvs()
  })

  it('is gone with its folder after its runner was killed, also when paused', async () => {
    const runner = await spawnApp({
      ...fromSource(`
        const server = await kit.${name}()
        await server.pause()
        console.log('ran', server.pid, server.dir)
        setInterval(() => {}, 1000)`),
      readyPattern: /^ran (\d+) (.+)$/,
    })
    const [pid, dir] = [Number(runner.ready?.[1]), runner.ready?.[2] ?? '']
    expect([isAlive(pid), existsSync(dir)]).toEqual([true, true])
    runner.signal('SIGKILL')
    await until(() => !isAlive(pid) && !existsSync(dir), { message: `${pid} and ${dir} to go` })
  })
})

describe('startRedis', () => {
  it('takes settings, several of a name too', async () => {
    expect(redisConfig({ port: '1', user: ['a on nopass', 'b off'] })).toBe(
      'port 1\nuser a on nopass\nuser b off\n',
    )
    server = await startRedis({ settings: { requirepass: 'hunter2', maxmemory: '2mb' } })
    await hear(server.port, 'PING\r\n', '-NOAUTH')
    await hear(server.port, 'AUTH hunter2\r\nCONFIG GET maxmemory\r\n', '2097152')
  })

  it('starts a sentinel that knows its master', async () => {
    server = await startRedis()
    const sentinel = await startRedis({
      sentinel: true,
      settings: { sentinel: `monitor main 127.0.0.1 ${server.port} 1` },
    })
    await hear(sentinel.port, 'SENTINEL get-master-addr-by-name main\r\n', String(server.port))
    await sentinel.stop()
  })
})
