import { expect, test } from 'vitest'
import { announcement } from './announce.ts'

const HEADLINE = {
  word: 'UNHEALTHY',
  tone: 'bad',
  meaning: 'It fails.',
  causes: [{ name: 'database', problem: 'refused' }, { name: 'cache' }],
} as const

test('tells the verdict, what it means, why, and the notice', () => {
  expect(announcement(HEADLINE, 'Restarted.').text).toBe(
    'UNHEALTHY It fails. database, refused. cache Restarted.',
  )
})

test('is news when the word, its tone, a cause or the notice is another, and not when a count or a text is', () => {
  const { key } = announcement(HEADLINE, '')
  expect(announcement({ ...HEADLINE, meaning: '3 in flight' }, '').key).toBe(key)
  expect(
    announcement({ ...HEADLINE, causes: [{ name: 'database', problem: 'reset' }, { name: 'cache' }] }, '')
      .key,
  ).toBe(key)
  expect(announcement({ ...HEADLINE, word: 'HEALTHY' }, '').key).not.toBe(key)
  expect(announcement({ ...HEADLINE, tone: 'warn' }, '').key).not.toBe(key)
  expect(announcement({ ...HEADLINE, causes: [] }, '').key).not.toBe(key)
  expect(announcement(HEADLINE, 'x').key).not.toBe(key)
})
