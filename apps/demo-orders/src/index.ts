export { announce, listen, readAddress } from './address.ts'
export { openDatabase } from './database.ts'
export { openOrders } from './orders.ts'
export { readInt, readItem } from './read-input.ts'
