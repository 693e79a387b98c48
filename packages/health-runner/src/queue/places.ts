import { QUEUE_FIXED } from '../settings/defaults.ts'

/** Who waits, by order of acceptance: how many are before somebody is told without counting all. */
export interface Places {
  add(order: number): void
  delete(order: number): void
  /** How many that are in have a lesser order. */
  before(order: number): number
}

export function createPlaces(): Places {
  const blocks = new Map<number, Set<number>>()
  const blockOf = (order: number): number => Math.floor(order / QUEUE_FIXED.countedTogether)

  return {
    add: (order) => {
      const block = blockOf(order)
      const orders = blocks.get(block) ?? new Set()
      blocks.set(block, orders.add(order))
    },
    delete: (order) => {
      const block = blockOf(order)
      const orders = blocks.get(block)
      orders?.delete(order)
      if (orders?.size === 0) blocks.delete(block)
    },
    before: (order) => {
      const own = blockOf(order)
      let count = 0
      for (const [block, { size }] of blocks) if (block < own) count += size
      for (const each of blocks.get(own) ?? []) if (each < order) count += 1
      return count
    },
  }
}
