import { HEADER_VALUE } from './variables.ts'

/** What is wrong with a secret, as [what is allowed, what to say it was]; the secret itself is in neither. */
export function secretFault(
  { minLength, isHeader = false }: { readonly minLength: number; readonly isHeader?: boolean },
  value: string,
): readonly [expected: string, got: string] | undefined {
  const characters = isHeader ? 'visible ASCII characters, without white space at either end' : 'characters'
  const expected = `at least ${minLength} ${characters}`
  if (value.length < minLength) return [expected, `${value.length} of them`]
  if (!isHeader || HEADER_VALUE.test(value)) return undefined
  return [expected, value.trim() === value ? 'other characters' : 'white space at an end (a line feed?)']
}
