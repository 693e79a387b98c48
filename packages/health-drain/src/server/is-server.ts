import { hasFunctions } from '@baldur/health-core/internal'
import type { DrainableServer } from '../options.ts'

export const A_SERVER = 'a server of node:http, node:https or node:http2'

export const isServer = (one: unknown): one is DrainableServer =>
  hasFunctions(one, ['emit', 'on', 'close', 'listen'])
