import type { ConnectionErrorType } from '../vocabulary/error-type.ts'
import type { RequestOutcome } from '../vocabulary/request-outcome.ts'

/** How far a request had come when its connection to the runner failed. */
export type Progress = 'connecting' | 'sent' | 'head'

/** What a failed connection is called, and what it shows of the runner. */
export interface Break {
  readonly type: ConnectionErrorType
  readonly outcome: RequestOutcome
}

/** The error by which a connection that was not made in time is known. */
export const CONNECT_TIMED_OUT = 'ERR_RUNNER_CONNECT_TIMEOUT'
/** The error of an answer that is no HTTP, or cannot be passed on. */
export const NO_HTTP = 'ERR_RUNNER_NO_HTTP'
/** `ECONNRESET`, under a name that the client library does not know; see open-connection.ts. */
export const RUNNER_RESET = 'ERR_RUNNER_RESET'

/** This machine has run out of a resource: no evidence about the runner. */
const OUR_OWN: ReadonlySet<string> = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EAGAIN'],
])
/** Whether a connection could not be made for what this machine lacks. */
export const isOurOwnLack = ({ code = '' }: Pick<BreakError, 'code'>): boolean => OUR_OWN.has(code)
/** The connection ended. */
const ENDED: ReadonlySet<string> = new Set([
  ...['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED', RUNNER_RESET],
  'HPE_INVALID_EOF_STATE',
])
/** Before a head it is said of two lengths. */
const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
/** Said by the client library of answers that nobody asked for: 100, and 101. */
const UNASKED = /^bad (?:response|upgrade)$/
/** Said by its parser, which gives no code, when the end came in the middle of something. */
const CUT_SHORT = /Invalid EOF state/

/** What is looked at of an error. */
export interface BreakError {
  readonly name?: string | undefined
  readonly code?: string | undefined
  readonly message: string
}

/** Names what went wrong with a connection to a runner. */
export function classifyBreak(error: BreakError, progress: Progress): Break {
  const type = progress === 'connecting' ? nameRefusal(error) : nameBreak(error, progress)
  const isOurOwn = progress === 'connecting' && isOurOwnLack(error)
  return { type, outcome: isOurOwn ? { kind: 'inconclusive' } : { kind: 'broken', type } }
}

/**
 * Whether a runner refused a request for its head or its body, and did not read the rest: its system breaks such a connection
 * behind the answer, at whatever moment the rest arrives. Servers refuse this way, and it is no evidence that the runner is unhealthy.
 */
export function isRefusedBody(
  { code }: BreakError,
  { status, hadBody }: { readonly status: number; readonly hadBody: boolean },
): boolean {
  return code === RUNNER_RESET && hadBody && status >= 400 && status < 500
}

function nameRefusal({ code = '' }: BreakError): ConnectionErrorType {
  if (code === 'ECONNREFUSED') return 'runner_connection_refused'
  return code === CONNECT_TIMED_OUT || code === 'ETIMEDOUT'
    ? 'runner_connection_timeout'
    : 'runner_connection_error'
}

function nameBreak({ name, code = '', message }: BreakError, progress: Progress): ConnectionErrorType {
  const isParsers = name === 'HTTPParserError' || code.startsWith('HPE_')
  const isUnasked = code === 'UND_ERR_SOCKET' && UNASKED.test(message)
  if ((ENDED.has(code) && !isUnasked) || (isParsers && CUT_SHORT.test(message))) {
    return progress === 'head' ? 'runner_incomplete_response' : 'runner_disconnected'
  }
  if (code === LENGTH_MISMATCH)
    return progress === 'head' ? 'runner_incomplete_response' : 'runner_server_error'
  const isNoHttp = isParsers || isUnasked || code === NO_HTTP || code === 'UND_ERR_HEADERS_OVERFLOW'
  return isNoHttp ? 'runner_server_error' : 'runner_connection_error'
}
