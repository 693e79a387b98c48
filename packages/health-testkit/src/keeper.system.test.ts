import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fromSource } from './from-source.ts'
import { isAlive } from './is-alive.ts'
import { rawConnection } from './raw-connection.ts'
import { type SpawnedApp, spawnApp } from './spawn-app.ts'
import { until } from './until.ts'

interface Server {
  pid: number
  port: number
  dir: string
}

let owner: SpawnedApp

afterEach(() => owner.stop({ graceMs: 0 }))

async function startOwner(code: string): Promise<Server> {
  const tell = `console.log('server', JSON.stringify({ pid: server.pid, port: server.port, dir: server.dir }))`
  owner = await spawnApp({
    ...fromSource(`const server = await kit.startPostgres(); ${code}; ${tell}`),
    readyPattern: /^server (.*)$/,
  })
  return JSON.parse(owner.ready?.[1] ?? '')
}

async function nothingLeft({ pid, port, dir }: Server): Promise<void> {
  await until(() => !existsSync(dirname(dir)) && !isAlive(pid), {
    message: `folder ${dirname(dir)} and process ${pid} to go`,
  })
  await expect(rawConnection({ port })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
}

describe('a server', () => {
  it('is gone with its folder after its owner was killed, also when paused', async () => {
    const server = await startOwner(`
      await (await kit.startPostgres()).pause()
      setInterval(() => {}, 1000)`)
    expect(isAlive(server.pid)).toBe(true)
    owner.signal('SIGKILL')
    await nothingLeft(server)
  })

  it('does not keep its owner alive, and is gone after it', async () => {
    const server = await startOwner('')
    expect(await owner.exited).toMatchObject({ code: 0, signal: null })
    await nothingLeft(server)
  })

  it('outlives a Ctrl-C for as long as its owner does', async () => {
    const server = await startOwner(`
      process.once('SIGINT', async () => {
        const connection = await kit.rawConnection({ port: server.port })
        connection.close()
        console.log('still there')
      })
      const alive = setInterval(() => {}, 1000)
      process.once('SIGTERM', async () => { clearInterval(alive); await server.stop() })`)
    owner.signal('SIGINT', 'group')
    await owner.waitForLine(/^still there$/)
    expect(await owner.stop()).toMatchObject({ code: 0, signal: null })
    await nothingLeft(server)
  })
})
