/** Where a request goes. */
export type Target =
  /** Path and query; and the host, where the target itself names it. */
  | { readonly kind: 'path'; readonly target: string; readonly host: string | undefined }
  /** `*`: it is about the gateway itself. */
  | { readonly kind: 'gateway' }
  | { readonly kind: 'refused'; readonly why: string }

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i
/** A name, an IPv4 or a bracketed IPv6 address, and perhaps a port. No user in it. */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[^\s@:[\]]+)(?::\d{0,5})?$/i

/** Reads the target of a request line: a path as it stands, the path of an absolute form, or `*`. Nothing is decoded or tidied up. */
export function readTarget(method: string, target: string): Target {
  if (target.startsWith('/')) return { kind: 'path', target, host: undefined }
  if (target === '*') {
    return method === 'OPTIONS'
      ? { kind: 'gateway' }
      : { kind: 'refused', why: 'only OPTIONS has the target *' }
  }
  const [, host, rest = ''] = ABSOLUTE.exec(target) ?? []
  if (host === undefined || !AUTHORITY.test(host)) {
    return { kind: 'refused', why: 'the target is neither a path nor an http URL' }
  }
  if (rest === '' && method === 'OPTIONS') return { kind: 'gateway' }
  return { kind: 'path', target: rest.startsWith('/') ? rest : `/${rest}`, host }
}
