import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureMemory } from './measure-memory.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'baldur-cgroup-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Readonly<Record<string, string | number>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${text}\n`)
  }
}
const groups = async () => (await measureMemory(root)).groups

test('v2 in a container: the limit of the root that it sees', async () => {
  write({
    'proc/self/cgroup': '0::/',
    'sys/fs/cgroup/memory.max': 1_000,
    'sys/fs/cgroup/memory.current': 700,
    'sys/fs/cgroup/memory.stat': 'anon 400\nfile 300\ninactive_file 200\nactive_file 100',
  })
  expect(await groups()).toEqual([{ used: 400, limit: 1_000 }])
})

test('v2 on a host: each group above that has a limit, by its own use', async () => {
  write({
    'proc/self/cgroup': '0::/pod/app',
    'sys/fs/cgroup/pod/app/memory.max': 'max',
    'sys/fs/cgroup/pod/app/memory.current': 50,
    'sys/fs/cgroup/pod/memory.max': 100,
    'sys/fs/cgroup/pod/memory.current': 95,
    'sys/fs/cgroup/pod/memory.stat': 'inactive_file 1',
    // the root of the hierarchy has a use and no limit
    'sys/fs/cgroup/memory.stat': 'inactive_file 1',
  })
  expect(await groups()).toEqual([{ used: 94, limit: 100 }])
})

test('v1 in a container, whose path is the host’s: the root of its mount', async () => {
  write({
    'proc/self/cgroup': '5:memory:/docker/0123\n3:cpu:/docker/0123\n0::/docker/0123',
    'sys/fs/cgroup/memory/memory.limit_in_bytes': 1_000,
    'sys/fs/cgroup/memory/memory.usage_in_bytes': 700,
    'sys/fs/cgroup/memory/memory.stat': 'inactive_file 1\ntotal_inactive_file 200\ntotal_active_file 100',
  })
  expect(await groups()).toEqual([{ used: 400, limit: 1_000 }])
})

test('v1 without a limit', async () => {
  write({
    'proc/self/cgroup': '5:memory:/a',
    'sys/fs/cgroup/memory/a/memory.limit_in_bytes': '9223372036854771712',
    'sys/fs/cgroup/memory/a/memory.usage_in_bytes': 700,
  })
  expect(await groups()).toEqual([])
})

test('a system without control groups has the heap alone', async () => {
  const { heap, groups: none } = await measureMemory(root)
  expect(none).toEqual([])
  expect(heap.limit).toBeLessThan(getHeapStatistics().heap_size_limit)
  expect(heap.used).toBeGreaterThan(1_000_000)
  expect(heap.used).toBeLessThan(heap.limit)
})

test('files that cannot be read as they are break the run, not silently the check', async () => {
  write({ 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max/x': 'a folder' })
  await expect(measureMemory(root)).rejects.toMatchObject({ code: 'EISDIR' })
})

test('this machine’s own: whatever limits there are, they are above what is used', async () => {
  const { heap, groups: real } = await measureMemory()
  for (const { used, limit } of [heap, ...real]) {
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThan(limit)
  }
})
