import { expect, it } from 'vitest'
import type { ConfigProblem } from '../vocabulary/config-error.ts'
import { readHeal } from './heal.ts'
import { createProblems } from './problems.ts'

function read(given: unknown): [ReturnType<typeof readHeal>, readonly string[]] {
  const found: ConfigProblem[] = []
  const problems = createProblems()
  const heal = readHeal('checks.a.heal', given, {
    ...problems,
    add: (path, expected) => found.push({ path, expected, got: '' }),
    addText: (path, expected) => found.push({ path, expected, got: '' }),
  })
  return [heal, found.map(({ path }) => path)]
}
const run = (): void => undefined

it('heal has the defaults of the design', () => {
  expect(read({ run })).toEqual([
    { run: expect.any(Function) as unknown, afterFailures: 3, cooldownMs: 60_000, maxAttempts: 5 },
    [],
  ])
  expect(read(undefined)).toEqual([undefined, []])
})

it('heal keeps given values and calls run as a method of its object', () => {
  const given = {
    tries: 0,
    run() {
      this.tries += 1
    },
  }
  const [heal, problems] = read({ ...given, tries: undefined })
  expect([heal, problems]).toMatchObject([{}, ['checks.a.heal.tries']])
  const own = { run: given.run, afterFailures: 1, cooldownMs: 0, maxAttempts: 1_000 }
  expect(read(own)).toMatchObject([{ afterFailures: 1, cooldownMs: 0, maxAttempts: 1_000 }, []])
})

it.each([[null], [true], ['run'], [[]], [{}], [{ run: 'x' }], [() => undefined]])(
  'heal %j is refused',
  (given) => {
    expect(read(given)).toEqual([undefined, ['checks.a.heal']])
  },
)

it.each([
  ['afterFailures', [0, 1.5, 1_001, '3', null]],
  ['cooldownMs', [-1, Number.NaN, 86_400_001, '1']],
  ['maxAttempts', [0, 2.5, 1_001, Number.POSITIVE_INFINITY]],
])('%s within bounds', (key, bad) => {
  for (const value of bad) expect(read({ run, [key]: value })[1]).toEqual([`checks.a.heal.${key}`])
})
