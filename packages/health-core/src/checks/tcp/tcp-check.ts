import { once } from 'node:events'
import { createProblems } from '../../options/problems.ts'
import type { Check } from '../../vocabulary/check.ts'
import { type CheckOptions, readCheckOptions } from '../read-check-options.ts'
import { openSocket } from '../socket/open-socket.ts'
import { trackedLookup } from '../socket/tracked-lookup.ts'

/** A name or an address as it is dialled: what a URL or a port belongs to is not. */
const HOST = /^[^\s/@[\]]{1,255}$/

/**
 * Connects to a TCP port and lets go at once; nothing is sent or read. A server that accepts and never answers is usable to
 * it: the kernel accepts for a process that hangs. Throws a `HealthConfigError` that lists every problem.
 */
export function tcpCheck(host: string, port: number, options: CheckOptions = {}): Check {
  const problems = createProblems()
  const { policy } = readCheckOptions('tcpCheck', options, [], problems)
  if (typeof host !== 'string' || !HOST.test(host)) {
    problems.add('tcpCheck(host)', 'a host name or an IP address, of IPv6 without brackets', host)
  }
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    problems.add('tcpCheck(port)', '1 to 65535, whole', port)
  }
  problems.throwIfAny()
  const lookups = trackedLookup()
  return {
    name: 'tcp',
    ...policy,
    run: async (signal) => {
      const socket = await openSocket({ host, port }, signal, lookups)
      const closed = once(socket, 'close')
      socket.destroy()
      await closed
    },
  }
}
