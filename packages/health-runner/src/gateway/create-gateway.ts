import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Clock, Logger } from '@baldur/health-core'
import type { GatewaySettings } from '../settings/settings.ts'
import type { Exchange } from '../vocabulary/exchange.ts'
import type { Fleet } from '../vocabulary/fleet.ts'

/** True when the request is theirs, and they answer it. */
export type Taker = (request: IncomingMessage, response: ServerResponse) => boolean

export interface GatewayParts {
  readonly fleet: Fleet
  readonly exchange: Exchange
  readonly logger: Logger
  readonly clock: Clock
  /** Takes what is below `/queue`. */
  readonly queue?: Taker | undefined
  /** Takes what is at `<prefix>/health/…`; asked first, also of requests that offer an upgrade. */
  readonly probes?: Taker | undefined
}

export interface Gateway {
  /** It does not listen yet. */
  readonly server: Server
  /** Direct requests that wait for a free runner. */
  readonly waiting: number
  /** Upgraded connections that are open. */
  readonly upgraded: number
  /** Answers those in line 503 and lets go of the fleet. Does not close the server. */
  close(): void
}

/** Makes the server in front of the runners. */
export function createGateway(_settings: GatewaySettings, _parts: GatewayParts): Gateway {
  throw new Error('not written yet')
}
