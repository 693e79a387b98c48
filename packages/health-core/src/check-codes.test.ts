import { expect, it } from 'vitest'
import { healthUnderTest } from './testing/health-under-test.ts'
import type { CheckResult } from './vocabulary/check.ts'

const codes = { NOT_PRIMARY: 'node is not primary', '11600': 'node is shutting down' }
const health = (run: () => CheckResult, given: Readonly<Record<string, string>> = codes) =>
  healthUnderTest({ databases: { default: { name: 'mongo', vendor: 'mongodb', codes: given, run } } })

it.each<[string, () => CheckResult, string]>([
  ['a result', () => ({ usable: false, code: 'NOT_PRIMARY' }), 'NOT_PRIMARY: node is not primary'],
  [
    'an error',
    () => {
      throw Object.assign(new Error('at 10.0.0.7'), { code: '11600' })
    },
    '11600: node is shutting down',
  ],
  ['a code of the table', () => ({ usable: false, code: 'READ_ONLY' }), 'READ_ONLY: server is read-only'],
  ['a code of no table', () => ({ usable: false, code: 'JOE_HUNTER2' }), 'ERROR: check failed'],
  ['a name that every object has', () => ({ usable: false, code: 'constructor' }), 'ERROR: check failed'],
])('the pool endpoint shows %s of a check with codes of its own by its text', async (_what, run, error) => {
  const { get, lines } = health(run)
  const { body } = await get('/pool')
  expect(body.error).toBe(error)
  expect(lines.join('\n')).toContain(error)
  expect(JSON.stringify(body)).not.toContain('10.0.0.7')
})

it('codes belong to their check: the same code of another check reads ERROR', async () => {
  const run = (): CheckResult => ({ usable: false, code: 'NOT_PRIMARY' })
  const { get } = health(run, {})
  expect((await get('/pool')).body.error).toBe('ERROR: check failed')
})

it('createHealth refuses codes that must not be published, and names them', () => {
  expect(() => health(() => true, { not_primary: 'x', B: 'two\nlines' })).toThrow(
    /databases\.default\.codes: expected codes of 1 to 64 of A-Z 0-9 _, got "not_primary"\n.*databases\.default\.codes\.B: expected a text of 1 to 120 printable characters/,
  )
})
