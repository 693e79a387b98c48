import type { CheckResult } from '../../vocabulary/check.ts'
import { REDIS_CODES } from '../../vocabulary/codes.ts'
import { isGivenUp } from './ask-once.ts'

/** The server says these in words only, or in a word of its own. */
const SPELLED: readonly [said: RegExp, code: string][] = [
  [/max number of clients/, 'MAXCLIENTS'],
  [/invalid password/, 'WRONGPASS'],
  [/^READONLY /, 'READ_ONLY'],
]

/** The code of an error that the server answered: the word that it begins with. The client may have put its own before. */
export function replyCode(message: string): string | undefined {
  const said = message.replace(/^Ready check failed: /, '')
  const [, spelled] = SPELLED.find(([pattern]) => pattern.test(said)) ?? []
  const word = /^[A-Z]+(?= )/.exec(said)?.[0] ?? ''
  return spelled ?? (Object.hasOwn(REDIS_CODES, word) ? word : undefined)
}

/** An error for what the client says about itself, with its cause, whose code counts more. */
export function notConnected(message: string, cause?: unknown): Error {
  const hasCode = typeof (cause as { code?: unknown } | undefined)?.code === 'string'
  return Object.assign(new Error(message, { cause }), hasCode ? {} : { code: 'NOT_CONNECTED' })
}

/** What an error means: the server's refusal is a result with its code, everything else is thrown. */
export function readFault(error: unknown): CheckResult {
  const { message, code, name, lastNodeError } = (error ?? {}) as {
    readonly [key: string]: unknown
  }
  // a cluster that reached none of its nodes
  if (lastNodeError !== undefined) return readFault(lastNodeError)
  const text = String(message)
  const reply = replyCode(text)
  if (reply !== undefined) return { usable: false, code: reply }
  if (isGivenUp(error)) throw Object.assign(new Error(text, { cause: error }), { code: 'TIMEOUT' })
  if (typeof code === 'string' || /^(?:ReplyError|ErrorReply|SimpleError)$/.test(String(name))) throw error
  throw notConnected(text, error)
}
