import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import type { MemoryFigures, Usage } from '../../rules/judge-memory.ts'
import { type Group, groupsOf, usageOf } from '../../rules/read-cgroup.ts'
import { readHeap } from '../../rules/read-heap.ts'

/** Undefined where there is no such file: another system, another version of control groups, a group without a limit. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined
    throw error
  }
}

async function measure(root: string, group: Group): Promise<Usage | undefined> {
  const at = (file: string): string => join(root, 'sys/fs/cgroup', group.folder, file)
  const limit = await textOf(at(group.limit))
  if (limit === undefined) return undefined
  const usage = await textOf(at(group.usage))
  if (usage === undefined) return undefined
  const stat = (await textOf(at('memory.stat'))) ?? ''
  return usageOf({ limit, usage, stat }, group)
}

function measureHeap(): Usage {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  const spaces = getHeapSpaceStatistics().map(({ space_name: name, space_used_size }) => ({
    name,
    used: space_used_size,
  }))
  return readHeap({ used, limit, spaces })
}

/** Measures the heap of this thread and the control groups of this process; `root` is where `/proc` and `/sys` are. */
export async function measureMemory(root = '/'): Promise<MemoryFigures> {
  const groups = groupsOf((await textOf(join(root, 'proc/self/cgroup'))) ?? '')
  const usages = await Promise.all(groups.map((group) => measure(root, group)))
  return { heap: measureHeap(), groups: usages.filter((usage) => usage !== undefined) }
}
