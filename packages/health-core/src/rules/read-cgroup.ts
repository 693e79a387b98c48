import type { Usage } from './judge-memory.ts'

/** Where a version of control groups keeps its figures of memory, below its mount. */
interface Layout {
  /** Its mount below the usual one. */
  readonly mount: string
  readonly limit: string
  readonly usage: string
  /** The words in `memory.stat` for page cache, of the groups below too. */
  readonly cache: readonly string[]
}

const V2: Layout = {
  mount: '',
  limit: 'memory.max',
  usage: 'memory.current',
  cache: ['inactive_file', 'active_file'],
}
const V1: Layout = {
  mount: 'memory',
  limit: 'memory.limit_in_bytes',
  usage: 'memory.usage_in_bytes',
  cache: ['total_inactive_file', 'total_active_file'],
}

/** One control group that may limit a process. */
export interface Group extends Layout {
  /** Below the mount of control groups. */
  readonly folder: string
}

/**
 * The groups of a process from `/proc/self/cgroup`, with all above them: each has a limit of its own, and the lowest in
 * bytes left is the one that kills. In a container the path can be the host's, of which only the mount's root is there.
 */
export function groupsOf(text: string): readonly Group[] {
  return text.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    const layout = controllers === '' ? V2 : controllers?.split(',').includes('memory') ? V1 : undefined
    if (layout === undefined) return []
    const parts = (path ?? '').split('/').filter((part) => part !== '' && part !== '..')
    return Array.from({ length: parts.length + 1 }, (_, up) => ({
      ...layout,
      folder: [layout.mount, ...parts.slice(0, parts.length - up)].filter((part) => part !== '').join('/'),
    }))
  })
}

/**
 * The use of a group from its files; undefined without a limit, which reads `max` or a number that no machine has. Page
 * cache of files is left out, used lately or not: the kernel takes all of it back before it kills for want of memory, and a
 * service that reads files fills its container with it. Everything else that is charged counts, as it does for the kernel:
 * other processes, sockets, files in tmpfs. The size of this process alone would miss those.
 */
export function usageOf(
  files: { readonly limit: string; readonly usage: string; readonly stat: string },
  { cache }: Pick<Group, 'cache'>,
): Usage | undefined {
  const limit = Number(files.limit.trim())
  const usage = Number(files.usage.trim())
  if (!Number.isSafeInteger(limit) || limit <= 0 || !Number.isSafeInteger(usage)) return undefined
  const bytesOf = (word: string): number =>
    Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(files.stat)?.[1] ?? 0)
  const cached = cache.reduce((sum, word) => sum + bytesOf(word), 0)
  return { used: Math.max(0, usage - cached), limit }
}
