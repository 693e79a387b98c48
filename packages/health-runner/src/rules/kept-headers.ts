import { SECRET_HEADERS } from '../vocabulary/secret-headers.ts'
import { type ForwardedRequest, forwardHeaders } from './forward-headers.ts'
import { valuesOf, without } from './hop-by-hop.ts'

/** They speak to the queue, or are said anew with each attempt. */
const OF_THE_QUEUE: ReadonlySet<string> = new Set([
  'content-length',
  'x-baldur-attempt',
  'x-baldur-method',
  'x-baldur-no-retry',
  'x-baldur-request-id',
  'x-baldur-start-timeout',
])

const PROXY_SECRET = 'proxy-authorization'

/** What is kept can be read by whoever reads the store. */
const SECRET: ReadonlySet<string> = new Set(SECRET_HEADERS)

/** Which headers of a request are kept with it: those that a runner would get at once, but for secrets. `keep`: those that are kept all the same, in lower case. */
export function keptHeaders(
  request: Pick<ForwardedRequest, 'headers' | 'client'>,
  keep: ReadonlySet<string>,
): readonly string[] {
  const forwarded = forwardHeaders({ ...request, requestId: '', host: undefined })
  const kept = without(forwarded, (name) => OF_THE_QUEUE.has(name) || (SECRET.has(name) && !keep.has(name)))
  // it is for whoever is in front of the runner, who may be told to hand it on
  const handedOn = keep.has(PROXY_SECRET) ? valuesOf(request.headers, PROXY_SECRET) : []
  return [...kept, ...handedOn.flatMap((value) => ['Proxy-Authorization', value])]
}
