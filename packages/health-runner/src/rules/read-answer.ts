import type { AnswerHead } from '../vocabulary/exchange.ts'
import { endToEnd, membersOf, valuesOf, without } from './hop-by-hop.ts'

/** In order: the first that says `1` or `0` is heard. */
const NEEDS_RETRY = ['x-baldur-needs-retry', 'x-fal-needs-retry'] as const

/** Of the gateway alone, whatever a runner says. */
const OURS: ReadonlySet<string> = new Set([...[...NEEDS_RETRY, 'x-baldur-request-id', 'x-baldur-error-type']])

/** What an answer asks for about a further attempt. */
export function readNeedsRetry(headers: readonly string[]): boolean | undefined {
  const said = NEEDS_RETRY.flatMap((name) => valuesOf(headers, name)).find(
    (value) => value === '1' || value === '0',
  )
  return said === undefined ? undefined : said === '1'
}

/** Whether a body came in a coding that is not taken off it: passed on it would be something else. */
export function isCodedBeyondChunks(headers: readonly string[]): boolean {
  return membersOf(headers, 'transfer-encoding').some((coding) => coding !== 'chunked')
}

/** Whether nothing but the end of its connection says where the body ends. */
export function endsWithConnection(headers: readonly string[]): boolean {
  return ['content-length', 'transfer-encoding'].every((name) => valuesOf(headers, name).length === 0)
}

/** The head of a runner's answer as it goes on. */
export function readAnswer(status: number, headers: readonly string[]): AnswerHead {
  const isChunked = valuesOf(headers, 'transfer-encoding').length > 0
  return {
    status,
    // an answer without a body has no length, and one in chunks none that counts, whatever it says
    headers: without(
      endToEnd(headers),
      (name) => OURS.has(name) || ((status === 204 || isChunked) && name === 'content-length'),
    ),
    needsRetry: readNeedsRetry(headers),
  }
}
