import { isIP, isIPv6 } from 'node:net'
import { LOOPBACK } from './target.ts'

interface Bound {
  /** Where to connect. */
  readonly hosts: readonly string[]
  /** What `Host` says, without the port. */
  readonly host: string
  /** For people. */
  readonly name: string
}

const LOCAL: Bound = { hosts: LOOPBACK, host: 'localhost', name: 'localhost' }

/** Where an admin server is that listens on this; undefined for what it would not start with. */
export function readBind(bind: string | undefined): Bound | undefined {
  // asked of what is set alone: the first look for an IPv6 address takes Node 3 ms
  if (bind === undefined || /^localhost$/i.test(bind)) return LOCAL
  if (isIP(bind) !== 0) {
    // 0.0.0.0 and :: are everywhere; bound to one address it is nowhere else
    if (/^[0.:]+$/.test(bind)) return LOCAL
    const host = isIPv6(bind) ? `[${bind}]` : bind
    return { hosts: [bind], host, name: host }
  }
  if (!/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(bind)) return undefined
  // the server lets itself be asked by addresses and as localhost, and by a name only where it is allowed
  return { hosts: [bind], host: 'localhost', name: bind }
}
