import type { AddressInfo, Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The requests of the way `late`, each answered after its client has left. */
export interface Late {
  waiting: number
  answered: number
}

/** An app of some framework that listens on loopback. */
export interface Service {
  readonly port: number
  readonly late: Late
  close(): Promise<unknown>
}

/** How a service gets its health endpoints: mounted in the app before all its layers, attached to its server, or both. */
export interface ServiceParts<App> {
  mount?(app: App): unknown
  attach?(server: Server): unknown
}

/** The header that every answer of the app itself carries. */
export const OF_THE_APP = 'x-app'

/** What the app sets on every answer, none of which may be on a probe's. */
export const BAIT: Readonly<Record<string, string>> = {
  [OF_THE_APP]: 'yes',
  etag: '"bait"',
  'set-cookie': 'a=b',
  'x-powered-by': 'bait',
}

/** The routes that are open to all, by which tests of observing make an app answer in every way that apps have. */
export const OPEN: RegExp = /^\/open\/(?<way>status|slow|throw|stream|break|late|events)\/(?<code>\d{3})$/

/** How long the way `slow` takes. */
export const SLOW_MS = 500

/** The pieces of a streamed body; with `isBroken` it fails in the middle. */
export async function* pieces(isBroken: boolean): AsyncGenerator<string> {
  yield 'first,'
  await wait(5)
  if (isBroken) throw new Error('the stream broke')
  yield 'second'
}

/** An error as frameworks read it. */
export const httpError = (status: number): Error =>
  Object.assign(new Error('thrown'), { status, statusCode: status })

/** Makes a server listen on loopback; closing cuts what is open. */
export async function listen(
  server: Server & { closeAllConnections?(): void },
  late: Late = { waiting: 0, answered: 0 },
): Promise<Service> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<unknown> =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections?.()
    })
  return { port: (server.address() as AddressInfo).port, late, close }
}
