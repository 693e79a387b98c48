/** An error that is the client's; Express and Koa read `status` of it, Fastify `statusCode`. */
const badRequest = (message: string): Error =>
  Object.assign(new Error(message), { status: 400, statusCode: 400 })

/** The item that a request's body orders; throws a 400 when there is none. */
export function readItem(body: unknown): string {
  const item = (body as { item?: unknown } | null | undefined)?.item
  // PostgreSQL stores no NUL
  const isFine = typeof item === 'string' && item.trim() !== '' && item.length <= 200 && !item.includes('\0')
  if (isFine) return item
  throw badRequest('item: expected a text of 1 to 200 characters')
}

/** A whole number of a path or a query; throws a 400 when it is none, or out of its range. */
export function readInt(name: string, text: unknown, from: number, to: number): number {
  const value = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined
  if (value !== undefined && value >= from && value <= to) return value
  throw badRequest(`${name}: expected a whole number from ${from} to ${to}`)
}
