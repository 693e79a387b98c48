import { expect, test } from 'vitest'
import { keyFault, keyHeader } from './key-header.ts'

test.each(['12345678', 'a-Z_0~!#$', 'two words key', '"b,c;d=e\\~'])('%s can be a key', (typed) =>
  expect(keyFault(typed)).toBeUndefined(),
)

test.each(['', ' ', 'two ', ' words', 'tab\tbed', 'schlüssel', '“quoted”', 'line\nline'])(
  '%j cannot, and why is said',
  (typed) => {
    expect(keyFault(typed)).toMatch(/key/)
  },
)

test('without a key no header is sent', () => {
  expect(keyHeader(undefined)).toEqual({})
  expect(keyHeader('12345678')).toEqual({ 'x-baldur-admin-key': '12345678' })
})
