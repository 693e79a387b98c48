import type { Reading } from '../vocabulary/reading.ts'
import type { StoredText } from '../vocabulary/store.ts'

/** The shape of an entry. A process that knows another one never reads it: it is part of the key, too. */
const SCHEMA = 1
/** The largest entry that is read or written, in characters: about 800 checks with names of 64. A larger value was not written by us. */
export const MAX_CHARACTERS = 65_536

/** The check results that one process shares with the others of its service. */
export interface SharedEntry {
  /** From the computation's start to the end of the entry's life, in milliseconds. */
  readonly ttlMs: number
  /** How old the oldest result was at the computation's start, in milliseconds. */
  readonly ageMs: number
  readonly checks: Readonly<Record<string, Reading['status']>>
  /** Writer id; a process ignores its own entries when it looks for a second opinion. */
  readonly by: string
}

/** An entry at the moment of reading. */
export interface ReadEntry {
  /** Milliseconds since its computation began. */
  readonly sinceMs: number
  /** Age of the oldest result, in milliseconds. */
  readonly ageMs: number
  readonly remainingMs: number
  /** The names of checks that were not usable, the last run alone. */
  readonly failing: readonly string[]
  readonly by: string
}

/** FNV-1a, 32 bits: names apart, nothing secret. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value.toString(36)
}

/** One per service and set of checks, so that an old and a new version do not throw each other's entries away. The braces keep what belongs together on one node of a cluster. */
export const entryKey = (namespace: string, names: readonly string[]): string =>
  `baldur:{${namespace}}:verdict:${SCHEMA}:${hash(names.join())}`

/** Whether every entry about these checks is small enough to be read. */
export const fitsEntry = (names: readonly string[]): boolean => {
  const checks = Object.fromEntries(names.map((name) => [name, 'timed_out' as const]))
  const largest = { ttlMs: Number.MAX_VALUE, ageMs: Number.MAX_VALUE, checks, by: '-'.repeat(36) }
  return writeEntry(largest).length <= MAX_CHARACTERS
}

export const writeEntry = (entry: SharedEntry): string => JSON.stringify({ v: SCHEMA, ...entry })

const STATUSES: readonly unknown[] = ['usable', 'unusable', 'timed_out'] satisfies Reading['status'][]
const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // treat garbage as an empty entry
    return {}
  }
}

/**
 * Reads an entry; undefined when it is broken, of another kind, about other checks or too old by our own TTL, or when a result in it
 * was older than `oldestMs` as it was computed. Its age is what has passed of its life in the store: no other host's clock counts.
 */
export function readEntry(
  stored: StoredText | undefined,
  names: readonly string[],
  ownTtlMs: number,
  oldestMs: number,
): ReadEntry | undefined {
  const { text, remainingMs } = stored ?? {}
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS) return undefined
  const { v, ttlMs, ageMs, checks, by } = parse(text)
  if (v !== SCHEMA || !isDuration(ttlMs) || !isDuration(ageMs) || !isDuration(remainingMs)) return undefined
  if (ageMs > oldestMs) return undefined
  if (typeof checks !== 'object' || checks === null) return undefined
  const results = new Map<string, unknown>(Object.entries(checks))
  const isOurs = results.size === names.length && names.every((name) => STATUSES.includes(results.get(name)))
  const sinceMs = ttlMs - remainingMs
  if (!isOurs || sinceMs < 0 || sinceMs >= ownTtlMs || remainingMs === 0) return undefined
  return {
    sinceMs,
    ageMs: ageMs + sinceMs,
    remainingMs: Math.min(remainingMs, ownTtlMs - sinceMs),
    failing: names.filter((name) => results.get(name) !== 'usable'),
    by: typeof by === 'string' ? by : '',
  }
}
