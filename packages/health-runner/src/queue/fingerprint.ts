import { createHash } from 'node:crypto'
import { valuesOf } from '../rules/hop-by-hop.ts'
import { SECRET_HEADERS } from '../vocabulary/secret-headers.ts'

interface Printed {
  readonly method: string
  readonly target: string
  /** Names and values in turn, secret ones too. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The same for the same request of the same caller: whoever guesses a key gets nothing by it. */
export function fingerprint({ method, target, headers, body }: Printed): string {
  const callers = SECRET_HEADERS.flatMap((name) =>
    valuesOf(headers, name).map((value) => `${name}: ${value}`),
  )
  // no header and no target has a line feed in it
  const head = [method, target, ...callers, '', ''].join('\n')
  return createHash('sha256').update(head, 'latin1').update(body).digest('hex')
}
