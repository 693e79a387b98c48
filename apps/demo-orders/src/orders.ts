import type pg from 'pg'
import type { Database } from './database.ts'

interface Order {
  readonly id: number
  readonly item: string
}

interface Orders {
  list(): Promise<readonly Order[]>
  add(item: string): Promise<Order>
}

/** The orders in the database, or in memory where there is none. */
export const openOrders = (database: Database | undefined): Orders =>
  database === undefined ? memoryOrders() : postgresOrders(database.pool)

/** Orders for as long as the process lives. */
function memoryOrders(): Orders {
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
function postgresOrders(pool: pg.Pool): Orders {
  let table: Promise<unknown> | undefined
  // made once: PostgreSQL refuses a second CREATE that runs at the same time
  const ready = (): Promise<unknown> => {
    table ??= pool
      .query('CREATE TABLE IF NOT EXISTS orders (id serial PRIMARY KEY, item text NOT NULL)')
      .catch((error) => {
        table = undefined
        throw error
      })
    return table
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
