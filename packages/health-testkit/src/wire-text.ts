import type { RawResponse } from './raw-response.ts'

/** Left out of every comparison: the server's own, and they change. */
const OF_THE_SERVER = /^(?:date|connection|keep-alive)$/i

/** A body without its times and ages. */
export const mask = (body: string): string =>
  body
    .replace(/"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"timestamp":"<time>"')
    .replace(
      /"watchdog_last_check":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/,
      '"watchdog_last_check":"<time>"',
    )
    .replace(/"_cache":\{"hit":"L[123]","age_ms":\d+\}/, '"_cache":"<cache>"')

export const headersOf = ({ rawHeaders }: RawResponse): Record<string, string> =>
  Object.fromEntries(rawHeaders.filter(([name]) => !OF_THE_SERVER.test(name)))

/** All that came over the wire, in its order and spelling, but for the server's own. */
export function bytesOf({ raw }: RawResponse): string {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const lines = head.split('\r\n').filter((line) => !OF_THE_SERVER.test(line.split(':', 1)[0] ?? ''))
  return [lines.join('\n'), ...body].join('\n\n')
}
