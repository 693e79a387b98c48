/** The header that a key travels in. */
export const keyHeader = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { 'x-baldur-admin-key': key }

/** What is wrong with what was typed in, in words; undefined where it can be a key. */
export function keyFault(typed: string): string | undefined {
  if (typed === '') return 'Type the key in first.'
  // a header carries no more than this
  return /^[\x21-\x7e]+$/.test(typed)
    ? undefined
    : 'A key has no spaces and no letters outside of ASCII: see whether something else was pasted.'
}
