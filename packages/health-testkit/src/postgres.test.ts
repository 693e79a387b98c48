import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from './is-alive.ts'
import { type PrivatePostgres, startPostgres } from './postgres.ts'
import { until } from './until.ts'

const onLinux = it.runIf(process.platform === 'linux')

let server: PrivatePostgres
const clients: pg.Client[] = []
const folders: string[] = []

beforeAll(async () => {
  server = await startPostgres({ settings: { work_mem: '7MB' } })
})
afterEach(async () => {
  await server.resume()
  await Promise.allSettled(clients.splice(0).map((client) => client.end()))
})
afterAll(async () => {
  await server.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function connected(to: PrivatePostgres, timeoutMs = 5000): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: to.url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {}) // its server may crash
  await client.connect()
  clients.push(client)
  return client
}

async function answer(client: pg.Client, sql = 'select 1 as value'): Promise<unknown> {
  return (await client.query<{ value: unknown }>(sql)).rows[0]?.value
}

const ownFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'given-'))
  folders.push(folder)
  return folder
}

const stateOf = (pid: string) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0]
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
/** The System V segments that a process made; Linux shows them, elsewhere none is seen. */
const sharedMemoryOf = (pid: number) => {
  if (process.platform !== 'linux') return []
  const lines = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n')
  return lines.filter((line) => line.trim().split(/\s+/)[4] === String(pid))
}

describe('a private PostgreSQL', () => {
  it('answers on its own loopback port', async () => {
    expect(await answer(await connected(server))).toBe(1)
    expect(server.url).toBe(`postgres://postgres@127.0.0.1:${server.port}/postgres`)
  })

  it('takes settings', async () => {
    expect(await answer(await connected(server), `select current_setting('work_mem') as value`)).toBe('7MB')
  })

  it('rejects with the log of a server that does not start, and removes its folder', async () => {
    const before = readdirSync(dirname(server.dir))
    await expect(startPostgres({ port: server.port })).rejects.toThrow(/in use/)
    expect(readdirSync(dirname(server.dir))).toEqual(before)
  })

  it('counts its clients, also while paused', async () => {
    await connected(server)
    await connected(server)
    await until(async () => (await server.connections()) === 2, { message: 'two connections' })
    await server.pause()
    expect(await server.connections()).toBe(2)
  })
})

describe('pause', () => {
  it('stops answers on open connections and on new ones, until resume', async () => {
    const client = await connected(server, 400)
    await server.pause()
    await expect(client.query('select 1')).rejects.toThrow('Query read timeout')
    await expect(connected(server, 400)).rejects.toThrow(/timeout/)
    await server.resume()
    expect(await answer(await connected(server))).toBe(1)
  })

  onLinux('leaves no process running, also those forked meanwhile', async () => {
    const storm = Array.from({ length: 20 }, () => connected(server).catch(() => {}))
    await server.pause()
    const states = [String(server.pid), ...childrenOf(server.pid)].map(stateOf)
    expect(states.length).toBeGreaterThan(5)
    expect(states.filter((state) => !/[TZ]/.test(state ?? ''))).toEqual([])
    await server.resume()
    await Promise.all(storm)
  })
})

describe('crash and stop', () => {
  it('refuse connections until a restart on the same port, and lose nothing that was committed', async () => {
    const own = await startPostgres()
    await answer(await connected(own), 'create table kept as select 42 as value')
    const stops = [() => own.crash(), () => own.stop({ keepDir: true })]
    for (const stop of stops) {
      const { pid } = own
      await stop()
      await expect(connected(own)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
      expect(isAlive(pid)).toBe(false)
      await expect(own.pause()).rejects.toThrow('nothing to pause')
      await own.restart()
      expect(own.pid).not.toBe(pid)
      expect(await answer(await connected(own), 'select value from kept')).toBe(42)
    }
    await own.stop()
    await expect(own.restart()).rejects.toThrow('keepDir')
  })
})

describe('stop', () => {
  it.each(['running', 'paused', 'crashed'])(
    'removes all of a server that is %s, also when asked twice',
    async (state) => {
      const own = await startPostgres()
      await connected(own)
      if (state === 'paused') await own.pause()
      if (state === 'crashed') await own.crash()
      await Promise.all([own.stop(), own.stop()])
      await own.stop()
      expect(existsSync(own.dir)).toBe(false)
      expect(isAlive(own.pid)).toBe(false)
      expect(sharedMemoryOf(own.pid)).toEqual([])
    },
  )
})

describe('a given folder', () => {
  it('is filled, kept by stop, and started on again with its data', async () => {
    const dir = ownFolder()
    const first = await startPostgres({ dir })
    await answer(await connected(first), 'create table kept as select 42 as value')
    await first.stop()
    const second = await startPostgres({ dir })
    expect(await answer(await connected(second), 'select value from kept')).toBe(42)
    await second.crash()
    const third = await startPostgres({ dir })
    expect(await answer(await connected(third), 'select value from kept')).toBe(42)
    await third.stop()
    expect(existsSync(join(dir, 'PG_VERSION'))).toBe(true)
  })

  it('is refused while another server runs on it, which goes on', async () => {
    await expect(startPostgres({ dir: server.dir })).rejects.toThrow(`process ${server.pid}`)
    expect(await answer(await connected(server))).toBe(1)
  })

  it('is refused when its lock names a live process of any kind, which goes on', async () => {
    const dir = ownFolder()
    writeFileSync(join(dir, 'PG_VERSION'), '18\n')
    writeFileSync(join(dir, 'postmaster.pid'), `${process.pid}\n`)
    await expect(startPostgres({ dir })).rejects.toThrow(`process ${process.pid}`)
  })

  it('is refused when it holds something else', async () => {
    const dir = ownFolder()
    writeFileSync(join(dir, 'letter.txt'), 'dear reader')
    await expect(startPostgres({ dir })).rejects.toThrow('no PostgreSQL data folder')
    expect(existsSync(join(dir, 'letter.txt'))).toBe(true)
  })
})
