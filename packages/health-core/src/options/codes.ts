import type { Codes } from '../rules/problem.ts'
import { isPlain } from './plain.ts'
import type { Problems } from './problems.ts'

const CODE = /^[A-Z0-9_]{1,64}$/
const TEXT = /^[\p{L}\p{N}\p{P}\p{S} ]{1,120}$/u

/** Reads the codes of a check into a table of its own. A code or text that must not be published is added to the problems. */
export function readCodes(path: string, value: unknown, problems: Problems): Codes {
  if (value === undefined) return {}
  if (!isPlain(value)) {
    problems.add(path, 'an object of codes with their texts', value)
    return {}
  }
  const codes: [string, string][] = []
  for (const [code, text] of Object.entries(value)) {
    if (!CODE.test(code))
      problems.addText(path, 'codes of 1 to 64 of A-Z 0-9 _', JSON.stringify(code.slice(0, 80)))
    else if (typeof text !== 'string' || !TEXT.test(text))
      problems.add(`${path}.${code}`, 'a text of 1 to 120 printable characters', text)
    else codes.push([code, text])
  }
  return Object.fromEntries(codes)
}
