import { isIP } from 'node:net'

/** The name in a `Host` value, without its port and in lower case; undefined where it is no host at all. */
export function hostName(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{0,5})?$/.exec(host) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed.toLowerCase() : undefined
  return plain === undefined || plain === '' ? undefined : plain.toLowerCase()
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
