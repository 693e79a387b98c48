import type { Health, ObserveOptions } from '@baldur/health-core'
import type { Service } from './services/service.ts'

/** How a test wants the endpoints mounted. */
export interface Mounting {
  readonly health: Health
  /** In place of the health's own. */
  readonly prefix?: string
  readonly observe?: ObserveOptions
  /** The path of a nested router, encapsulated plugin or mounted app that the endpoints stand in. */
  readonly below?: string
}

/** Starts a service of `services/` with these mounts, in their order. */
export type MountService = (...mountings: readonly Mounting[]) => Promise<Service>

/** Where the endpoints are mounted. */
export interface Place extends Omit<Mounting, 'health'> {
  /** The health's own prefix. */
  readonly own?: string
  /** What stands before their own paths then. */
  readonly at: string
}

export const PLACES: readonly (readonly [name: string, place: Place])[] = [
  ['at the root', { at: '' }],
  ['under the health’s own prefix', { own: '/api/baldur', at: '/api/baldur' }],
  ['under the mount’s prefix', { prefix: '/api/baldur', at: '/api/baldur' }],
  ['under the mount’s prefix in place of the health’s own', { own: '/other', prefix: '/here', at: '/here' }],
  ['nested', { below: '/v1', at: '/v1' }],
  ['nested, under a prefix', { below: '/v1/in', prefix: '/api', at: '/v1/in/api' }],
]
