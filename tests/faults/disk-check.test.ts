import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm, statfs, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { diskCheck } from '@baldur/health-core/disk'
import { rawRequest, type SpawnedApp, spawnApp, until } from 'health-testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checked } from './run-checks.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'baldur-disk-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('diskCheck on a real file system', () => {
  test('tells what df tells, to the percent', async () => {
    const [, line = ''] = execFileSync('df', ['-P', dir], { encoding: 'utf8' }).split('\n')
    const used = Number(/ (\d+)% /.exec(line)?.[1])
    const free = 100 - used
    // df rounds up what is used
    expect(await checked(diskCheck(dir, { minFreePercent: Math.max(0, free) })).run()).toBe('usable')
    expect(await checked(diskCheck(dir, { minFreePercent: Math.min(100, free + 2) })).run()).toBe(
      'DISK_FULL: free space below what is wanted',
    )
  })

  test('counts the bytes that others than root may have', async () => {
    const { bavail, bsize } = await statfs(dir)
    const free = bavail * bsize
    expect(await checked(diskCheck(dir, { minFreeBytes: Math.floor(free / 2) })).run()).toBe('usable')
    expect(await checked(diskCheck(dir, { minFreeBytes: free * 2 })).run()).toMatch(/^DISK_FULL: /)
  })

  test('counts inodes where there are any', async () => {
    const { files } = await statfs(dir)
    const options = { minFreeInodesPercent: 100, minFreePercent: 0 }
    const said = files === 0 ? 'usable' : 'INODES_FULL: free inodes below what is wanted'
    expect(await checked(diskCheck(dir, options)).run()).toBe(said)
  })

  test('a path that vanishes is not usable until it is back', async () => {
    const path = await mkdtemp(join(dir, 'x'))
    const { run, lines } = checked(diskCheck(path, { minFreePercent: 0 }))
    expect(await run()).toBe('usable')
    await rm(path, { recursive: true })
    expect(await run()).toBe('ENOENT: no such file or socket')
    await writeFile(path, 'a file is on a file system too')
    expect(await run()).toBe('usable')
    expect(lines).toHaveLength(2)
  })

  test('a path below a file, and a loop of links', async () => {
    await writeFile(join(dir, 'file'), '')
    expect(await checked(diskCheck(join(dir, 'file', 'x'))).run()).toBe('ENOTDIR: not a directory')
    await symlink(join(dir, 'loop'), join(dir, 'loop'))
    expect(await checked(diskCheck(join(dir, 'loop'))).run()).toBe('ERROR: check failed')
  })

  test('with writable a folder that this process may write to is usable, and nothing is left in it', async () => {
    const { run } = checked(diskCheck(dir, { minFreePercent: 0, writable: true }))
    expect(await run()).toBe('usable')
    // the kernel's own, which nobody may write to
    const kernel = checked(
      diskCheck('/proc/version', { minFreePercent: 0, minFreeInodesPercent: 0, writable: true }),
    )
    expect(await kernel.run()).toMatch(process.getuid?.() === 0 ? /^usable$/ : /^EACCES: /)
  })
})

describe('diskCheck on a file system that stalls', () => {
  let app: SpawnedApp | undefined
  afterEach(() => app?.stop())

  test('readiness is timed_out within its budget, and hundreds of polls wait for one answer', async () => {
    const fifo = join(dir, 'fifo')
    execFileSync('mkfifo', [fifo])
    app = await spawnApp({
      args: [fileURLToPath(new URL('stalled-disk-service.mjs', import.meta.url)), fifo],
      // the one thread of the pool is in the kernel, as it is on a mount whose server is gone
      env: { UV_THREADPOOL_SIZE: '1' },
      readyPattern: /^listening on (\d+)$/,
    })
    const port = Number(app.ready?.[1])
    const ready = () => rawRequest({ port, path: '/health/ready' })
    for (let wave = 0; wave < 3; wave++) {
      const answers = await Promise.all(Array.from({ length: 100 }, ready))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(
        new Set(['503 {"status":"not_ready","checks":{"disk":"timed_out"}}']),
      )
      expect((await rawRequest({ port, path: '/health/live' })).status).toBe(200)
    }
    expect((await rawRequest({ port, path: '/outstanding' })).body).toBe('1')
    await writeFile(fifo, '')
    await until(async () => (await ready()).status === 200, { timeoutMs: 5_000 })
    expect((await rawRequest({ port, path: '/outstanding' })).body).toBe('0')
  })
})
