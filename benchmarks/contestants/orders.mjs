/** What `GET /orders` answers, whatever the framework: the ordinary traffic. */
export const ORDERS = {
  orders: [
    { id: 1, item: 'lamp' },
    { id: 2, item: 'chair' },
  ],
}
