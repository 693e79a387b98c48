import { KEY_PATTERN } from '../../../rules/key-pattern.ts'

/** The header that a key travels in. */
export const keyHeader = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { 'x-baldur-admin-key': key }

/** What is wrong with what was typed in, in words; undefined where it can be a key. */
export function keyFault(typed: string): string | undefined {
  if (typed === '') return 'Type the key in first.'
  return KEY_PATTERN.test(typed)
    ? undefined
    : 'A key has no letters outside of ASCII, no tabs and no line breaks: see whether something else was pasted.'
}
