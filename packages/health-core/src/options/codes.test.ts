import { expect, it } from 'vitest'
import type { HealthConfigError } from '../vocabulary/config-error.ts'
import { readCodes } from './codes.ts'
import { createProblems } from './problems.ts'

const read = (value: unknown) => {
  const problems = createProblems()
  const codes = readCodes('checks.kafka.codes', value, problems)
  const found: string[] = []
  try {
    problems.throwIfAny()
  } catch (error) {
    for (const { path, expected } of (error as HealthConfigError).problems) found.push(`${path}: ${expected}`)
  }
  return { codes, problems: found }
}

it.each([
  [undefined, {}],
  [{}, {}],
  [{ NOT_PRIMARY: 'node is not primary' }, { NOT_PRIMARY: 'node is not primary' }],
  [{ '11600': 'größer als 0, „so“' }, { '11600': 'größer als 0, „so“' }],
  [{ ['A'.repeat(64)]: 'x'.repeat(120) }, { ['A'.repeat(64)]: 'x'.repeat(120) }],
])('the codes %j are read', (value, codes) => {
  expect(read(value)).toEqual({ codes, problems: [] })
})

const CODES = 'checks.kafka.codes: codes of 1 to 64 of A-Z 0-9 _'
const TEXT = 'checks.kafka.codes.A: a text of 1 to 120 printable characters'
it.each([
  ['NOT_PRIMARY', 'checks.kafka.codes: an object of codes with their texts'],
  [['NOT_PRIMARY'], 'checks.kafka.codes: an object of codes with their texts'],
  [null, 'checks.kafka.codes: an object of codes with their texts'],
  [{ not_primary: 'x' }, CODES],
  [{ 'A B': 'x' }, CODES],
  [{ '': 'x' }, CODES],
  [{ ['A'.repeat(65)]: 'x' }, CODES],
  [{ A: '' }, TEXT],
  [{ A: 5 }, TEXT],
  [{ A: 'x'.repeat(121) }, TEXT],
  [{ A: 'two\nlines' }, TEXT],
  [{ A: 'a\u001b[31m' }, TEXT],
  [{ A: 'turned \u202e round' }, TEXT],
])('the codes %j are refused', (value, problem) => {
  expect(read(value)).toEqual({ codes: {}, problems: [problem] })
})

it('a change of the object after the start changes nothing', () => {
  const given = { A: 'before' }
  const { codes } = read(given)
  given.A = 'after'
  expect(codes).toEqual({ A: 'before' })
})
