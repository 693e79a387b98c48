/** These say something of one connection, and nothing of the message. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** Whoever names these in `Connection` would change what the message says, not how it travels. */
const NEVER_NAMED: ReadonlySet<string> = new Set(['host', 'content-length'])

/** The values of a header, in their order. Names and values take turns in `headers`. */
export function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name)
}

/** The members of a header that is a list, in lower case. */
export function membersOf(headers: readonly string[], name: string): readonly string[] {
  return valuesOf(headers, name)
    .flatMap((value) => value.split(','))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '')
}

/** Headers without those whose name `isOut`, the others in their order and spelling. */
export function without(headers: readonly string[], isOut: (name: string) => boolean): readonly string[] {
  return headers.filter((_, index) => !isOut((headers[index - (index % 2)] ?? '').toLowerCase()))
}

/** Headers without those of the connection, and without those that `Connection` names. Trailers are not passed on, so neither is what announces them. */
export function endToEnd(headers: readonly string[]): readonly string[] {
  const named = new Set(membersOf(headers, 'connection'))
  return without(headers, (name) => HOP_BY_HOP.has(name) || (named.has(name) && !NEVER_NAMED.has(name)))
}
