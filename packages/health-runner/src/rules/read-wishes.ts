/** What a caller says about how its request is to be run. */
export interface Wishes {
  readonly method: string
  readonly noRetry: boolean
  /** From its acceptance, in milliseconds. */
  readonly startWithinMs: number | undefined
  readonly idempotencyKey: string | undefined
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a runner can be asked. CONNECT and TRACE are for those on the way. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What came twice is joined, and is then no value of these. */
const given = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** A number of seconds in milliseconds; undefined where it is none that is allowed. */
function readSeconds(text: string, maxSeconds: number): number | undefined {
  const seconds = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0
  return seconds > 0 && seconds <= maxSeconds ? seconds * 1_000 : undefined
}

/** Reads a caller's headers, in lower case, or says which of them is wrong and what is allowed. */
export function readWishes(
  headers: Headers,
  {
    startTimeoutMaxSeconds,
    keyMaxLength,
  }: Readonly<Record<'startTimeoutMaxSeconds' | 'keyMaxLength', number>>,
): Wishes | { readonly problem: string } {
  const method = (given(headers, 'x-baldur-method') ?? 'POST').toUpperCase()
  if (!METHODS.includes(method)) return { problem: `x-baldur-method has to be one of ${METHODS.join(', ')}` }

  const once = given(headers, 'x-baldur-no-retry') ?? '0'
  if (once !== '0' && once !== '1') return { problem: 'x-baldur-no-retry has to be 1 or 0' }

  const timeout = given(headers, 'x-baldur-start-timeout')
  const startWithinMs = timeout === undefined ? undefined : readSeconds(timeout, startTimeoutMaxSeconds)
  if (timeout !== undefined && startWithinMs === undefined) {
    return {
      problem: `x-baldur-start-timeout has to be a number of seconds above 0 and at most ${startTimeoutMaxSeconds}`,
    }
  }

  const idempotencyKey = given(headers, 'idempotency-key')
  if (idempotencyKey !== undefined && !isKey(idempotencyKey, keyMaxLength)) {
    return { problem: `idempotency-key has to be 1 to ${keyMaxLength} visible ASCII characters` }
  }
  return { method, noRetry: once === '1', startWithinMs, idempotencyKey }
}

const isKey = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && /^[\x21-\x7e]+$/.test(text)
