import { BlockList, isIP, isIPv6 } from 'node:net'

/** The name in a `Host` value, without its port and in lower case; undefined where it is no host at all. */
export function hostName(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{0,5})?$/.exec(host) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed.toLowerCase() : undefined
  return plain === undefined || plain === '' ? undefined : plain.toLowerCase()
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an address, however it is written, is this machine's own. */
export const isLoopback = (address: string): boolean =>
  isIP(address) > 0 && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
