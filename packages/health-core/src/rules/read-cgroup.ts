import type { Usage } from './judge-memory.ts'

/** Where a version of control groups keeps its figures of memory, below its mount. */
interface Layout {
  /** Its mount below the usual one. */
  readonly mount: string
  readonly limit: string
  readonly usage: string
  /** The word in `memory.stat` for the page cache that was not used lately, of the groups below too. */
  readonly inactive: string
}

const V2: Layout = {
  mount: '',
  limit: 'memory.max',
  usage: 'memory.current',
  inactive: 'inactive_file',
}
const V1: Layout = {
  mount: 'memory',
  limit: 'memory.limit_in_bytes',
  usage: 'memory.usage_in_bytes',
  inactive: 'total_inactive_file',
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
 * cache that was not used lately is left out: the kernel takes it back before it kills for want of memory. Everything else
 * that is charged counts, as it does for the kernel and for the kubelet: other processes, sockets, files in tmpfs.
 */
export function usageOf(
  files: { readonly limit: string; readonly usage: string; readonly stat: string },
  { inactive }: Pick<Layout, 'inactive'>,
): Usage | undefined {
  const limit = Number(files.limit.trim())
  const usage = Number(files.usage.trim())
  if (!Number.isSafeInteger(limit) || limit <= 0 || !Number.isSafeInteger(usage)) return undefined
  const cache = Number(new RegExp(`^${inactive} (\\d+)$`, 'm').exec(files.stat)?.[1] ?? 0)
  return { used: Math.max(0, usage - cache), limit }
}
