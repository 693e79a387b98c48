import type pg from 'pg'

interface Order {
  readonly id: number
  readonly item: string
}

/** The item that a request's body orders, or what is wrong with it. */
export function readItem(body: unknown): { readonly item: string } | { readonly error: string } {
  const item = (body as { item?: unknown } | null | undefined)?.item
  const isFine = typeof item === 'string' && item.trim() !== '' && item.length <= 200
  return isFine ? { item } : { error: 'item: expected a text of 1 to 200 characters' }
}

export interface Orders {
  list(): Promise<readonly Order[]>
  add(item: string): Promise<Order>
}

/** Orders for as long as the process lives, where there is no database. */
export function memoryOrders(): Orders {
  const orders: Order[] = []
  return {
    list: async () => orders,
    add: async (item) => {
      const order = { id: orders.length + 1, item }
      orders.push(order)
      return order
    },
  }
}

/** Orders in PostgreSQL. The table is made by the first request that reaches the server, since the demo starts without it too. */
export function postgresOrders(pool: pg.Pool): Orders {
  let hasTable = false
  const ready = async (): Promise<void> => {
    if (hasTable) return
    await pool.query('CREATE TABLE IF NOT EXISTS orders (id serial PRIMARY KEY, item text NOT NULL)')
    hasTable = true
  }
  return {
    list: async () => {
      await ready()
      return (await pool.query<Order>('SELECT id, item FROM orders ORDER BY id DESC LIMIT 100')).rows
    },
    add: async (item) => {
      await ready()
      const { rows } = await pool.query<Order>('INSERT INTO orders (item) VALUES ($1) RETURNING id, item', [
        item,
      ])
      return rows[0] as Order
    },
  }
}
