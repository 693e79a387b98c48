import { createServer, type IncomingMessage, maxHeaderSize, type Server, type ServerOptions } from 'node:http'
import { FIXED } from '../settings/defaults.ts'

/** Node 24 has it, and asks it of each request that offers an upgrade. */
type Options = ServerOptions & { readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean }

/** How long the head of a request may take, and how often that is looked after, in milliseconds. */
export interface HeadLimits {
  readonly headMs: number
  readonly checkMs: number
}

const USUAL: HeadLimits = { headMs: FIXED.clientHeadMs, checkMs: FIXED.clientCheckMs }

/** A server as a reverse proxy needs one: strict in what it reads, patient with long bodies. */
export function createFrontServer(
  isUpgrade: (request: IncomingMessage) => boolean,
  { headMs, checkMs }: HeadLimits = USUAL,
): Server {
  const options: Options = {
    insecureHTTPParser: false,
    maxHeaderSize: maxHeaderSize - FIXED.addedHeadBytes,
    // it is asked for here: Node would answer without a word
    requireHostHeader: false,
    // of a whole request: an upload may take its time, and is held to its pieces instead
    requestTimeout: 0,
    // where that is 0, this would be too
    headersTimeout: headMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: FIXED.keepAliveMs,
    keepAlive: true,
    noDelay: true,
    shouldUpgradeCallback: isUpgrade,
  }
  const server = createServer(options)
  // Node would drop the last of many headers and say nothing; their size is bounded
  server.maxHeadersCount = 0
  return server
}
