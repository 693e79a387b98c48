import {
  CODES,
  HTTP_CLASSES,
  HTTP_STATUSES,
  MYSQL_CODES,
  REDIS_CODES,
  SQLSTATE_CLASSES,
  SQLSTATES,
} from '../vocabulary/codes.ts'

import type { Problem } from '../vocabulary/outcome.ts'
import { maskSecrets } from './mask-secrets.ts'

const own = <T extends object>(table: T, key: string): T[keyof T] | undefined =>
  Object.hasOwn(table, key) ? table[key as keyof T] : undefined

/** Codes with their texts, beside those of the tables. */
export type Codes = Readonly<Record<string, string>>

const NO_CODES: Codes = {}

/** The fixed text of a code, or undefined when it is in no table. */
function textOf(code: string, codes: Codes): string | undefined {
  for (const table of [codes, CODES, SQLSTATES, HTTP_STATUSES, REDIS_CODES, MYSQL_CODES]) {
    const text = own<Readonly<Record<string, string>>>(table, code)
    if (text !== undefined) return text
  }
  if (/^HTTP_[1-5][0-9]{2}$/.test(code)) return own(HTTP_CLASSES, code.slice(0, 6))
  return /^[0-9A-Z]{5}$/.test(code) ? own(SQLSTATE_CLASSES, code.slice(0, 2)) : undefined
}

/** A problem with a code of the tables or of `codes`; any other code reads `ERROR`. */
export function problem(code: string, detail?: string, codes: Codes = NO_CODES): Problem {
  const text = textOf(code, codes)
  const known = text === undefined ? { code: 'ERROR', text: CODES.ERROR } : { code, text }
  return detail === undefined ? known : { ...known, detail }
}

/** Creates the problem for an answer that missed its timeout, in milliseconds. */
export function timeoutProblem(ms: number, awaited: 'answer' | 'connection' = 'answer'): Problem {
  return { code: 'TIMEOUT', text: `no ${awaited} in ${ms} ms` }
}

/** The public message of a problem: its code and fixed text. */
export const publicMessage = ({ code, text }: Problem): string => `${code}: ${text}`

/** The log message of a problem: with its detail, secrets masked. */
export const logMessage = (p: Problem): string =>
  p.detail === undefined ? publicMessage(p) : `${publicMessage(p)} (${p.detail})`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** An error, its cause, and what an AggregateError holds, outermost first. */
function chain(error: unknown, depth = 0): unknown[] {
  if (!isObject(error) || depth > 4) return []
  const inner = Array.isArray(error.errors) ? error.errors.slice(0, 4) : []
  return [error, ...[error.cause, ...inner].flatMap((next) => chain(next, depth + 1))]
}

/** Formats anything thrown as one log line with its stack, secrets masked. Never throws. */
export function formatError(thrown: unknown): string {
  try {
    const { stack } = (isObject(thrown) ? thrown : {}) as { stack?: unknown }
    return typeof stack === 'string' ? maskSecrets(stack) : logMessage(problemOf(thrown))
  } catch {
    return publicMessage(problemOf(thrown))
  }
}

/** The reason of a failure that is no check's: its message in one line, secrets masked, after its code if that is known. Never throws. */
export function errorReason(thrown: unknown): string {
  const found = problemOf(thrown)
  return found.code === 'ERROR' ? found.detail || 'it did not say why' : logMessage(found)
}

/** Turns anything that a check threw into a problem, by the tables and by `codes`. Never throws, even on hostile getters. */
export function problemOf(thrown: unknown, codes: Codes = NO_CODES): Problem {
  try {
    const links = chain(thrown)
    const code = links
      .map((link) => (link as { code?: unknown }).code)
      .find((value): value is string => typeof value === 'string' && textOf(value, codes) !== undefined)
    const messages = links
      .map((link) => (link as { message?: unknown }).message)
      .filter((value): value is string => typeof value === 'string' && value !== '')
    const message =
      messages[0] ?? (isObject(thrown) ? undefined : `threw ${typeof thrown}: ${String(thrown)}`)
    return problem(code ?? 'ERROR', message === undefined ? undefined : maskSecrets(message), codes)
  } catch {
    // a getter or a toString that throws: there is nothing to be read from it
    return problem('ERROR')
  }
}
