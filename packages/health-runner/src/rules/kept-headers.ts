/** They are about one connection, or about the body as it was framed on it. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** They speak to the queue, or are said by it alone. */
const OF_THE_QUEUE: ReadonlySet<string> = new Set([
  'x-baldur-attempt',
  'x-baldur-method',
  'x-baldur-no-retry',
  'x-baldur-request-id',
  'x-baldur-start-timeout',
])

/** They may hold a secret, and what is kept can be read by whoever reads the store. */
const SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Names and values in turn. */
function pairs(rawHeaders: readonly string[]): (readonly [name: string, value: string])[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
}

/** What `Connection` names is of the connection as well; a request without a host is none. */
function namedByConnection(all: readonly (readonly [string, string])[]): ReadonlySet<string> {
  const named = all
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase())
  return new Set(named.filter((name) => name !== 'host'))
}

/** Which headers of a request are kept with it. `keep`: secret ones that are kept all the same, in lower case. */
export function keptHeaders(rawHeaders: readonly string[], keep: ReadonlySet<string>): readonly string[] {
  const all = pairs(rawHeaders)
  const named = namedByConnection(all)
  return all.flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    const isDropped =
      OF_THE_CONNECTION.has(lower) ||
      OF_THE_QUEUE.has(lower) ||
      named.has(lower) ||
      (SECRET.has(lower) && !keep.has(lower))
    return isDropped ? [] : [name, value]
  })
}
