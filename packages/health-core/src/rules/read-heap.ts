import type { Usage } from './judge-memory.ts'

/** What V8 tells of its heap, in bytes. */
export interface HeapFigures {
  readonly used: number
  readonly limit: number
  readonly spaces: readonly { readonly name: string; readonly used: number }[]
}

/** Three semi-spaces of 16 MiB: what V8 allows the young generation on 64 bits. There is no way to ask it. */
const YOUNG_BYTES = 3 * 16 * 1_048_576

/**
 * The use of the old generation, in which a heap runs out. V8's limit counts the young one too, which is empty again after
 * each of its collections: against the whole a heap of 64 MiB dies at 53 %. A limit too small for that share keeps half.
 */
export function readHeap({ used, limit, spaces }: HeapFigures): Usage {
  const young = spaces
    .filter(({ name }) => name.startsWith('new_'))
    .reduce((sum, space) => sum + space.used, 0)
  return { used: Math.max(0, used - young), limit: Math.max(limit - YOUNG_BYTES, limit / 2) }
}
