/** Items with the least first, each of which can be taken out from anywhere. */
export interface Ordered<Item extends object> {
  readonly size: number
  readonly first: Item | undefined
  /** One that is in already stays as it is. */
  add(item: Item): void
  delete(item: Item): void
}

/** A binary heap that knows where each item is. What `keyOf` gives must not change while the item is in. */
export function createOrdered<Item extends object>(keyOf: (item: Item) => number): Ordered<Item> {
  const heap: Item[] = []
  const places = new Map<Item, number>()

  const put = (item: Item, place: number): void => {
    heap[place] = item
    places.set(item, place)
  }
  /** Moves an item up or down from a place until the least is first again. */
  const settle = (item: Item, from: number): void => {
    let place = from
    for (;;) {
      const above = (place - 1) >> 1
      const parent = place > 0 ? heap[above] : undefined
      if (parent === undefined || keyOf(parent) <= keyOf(item)) break
      put(parent, place)
      place = above
    }
    for (;;) {
      const left = 2 * place + 1
      const [one, other] = [heap[left], heap[left + 1]]
      if (one === undefined) break
      const isOther = other !== undefined && keyOf(other) < keyOf(one)
      const child = isOther ? other : one
      if (keyOf(child) >= keyOf(item)) break
      put(child, place)
      place = isOther ? left + 1 : left
    }
    put(item, place)
  }

  return {
    get size() {
      return heap.length
    },
    get first() {
      return heap[0]
    },
    add: (item) => {
      if (!places.has(item)) settle(item, heap.length)
    },
    delete: (item) => {
      const place = places.get(item)
      if (place === undefined) return
      places.delete(item)
      const last = heap.pop()
      if (last !== undefined && last !== item) settle(last, place)
    },
  }
}
