import { expect, test } from 'vitest'
import { createRoles } from './role.ts'

const both = createRoles({ operator: 'operator-key', viewer: 'viewer-key' })

test.each([
  ['its own header', { 'x-baldur-admin-key': 'operator-key' }, 'operator'],
  ['a bearer token', { authorization: 'Bearer operator-key' }, 'operator'],
  ['a bearer token in another case', { authorization: 'bEARER   viewer-key' }, 'viewer'],
  ['the viewer’s key', { 'x-baldur-admin-key': 'viewer-key' }, 'viewer'],
  [
    'its own header before the other',
    { 'x-baldur-admin-key': 'viewer-key', authorization: 'Bearer operator-key' },
    'viewer',
  ],
  ['nothing', {}, undefined],
  ['an empty key', { 'x-baldur-admin-key': '' }, undefined],
  ['an empty token', { authorization: 'Bearer ' }, undefined],
  ['another key', { 'x-baldur-admin-key': 'operator-kez' }, undefined],
  ['a key with more behind it', { 'x-baldur-admin-key': 'operator-key, operator-key' }, undefined],
  ['a part of it', { 'x-baldur-admin-key': 'operator' }, undefined],
  ['another case', { 'x-baldur-admin-key': 'Operator-Key' }, undefined],
  ['basic credentials', { authorization: 'Basic operator-key' }, undefined],
  ['the key alone', { authorization: 'operator-key' }, undefined],
] as const)('%s: %j is %s', (_what, headers, role) => expect(both(headers)).toBe(role))

test('without a viewer’s key nobody is a viewer, an empty key neither', () => {
  const one = createRoles({ operator: 'operator-key', viewer: undefined })
  expect(one({ 'x-baldur-admin-key': 'operator-key' })).toBe('operator')
  expect(one({ 'x-baldur-admin-key': '' })).toBeUndefined()
  expect(one({})).toBeUndefined()
})

test('without keys everybody has the same role, whatever is sent', () => {
  const none = createRoles({ operator: undefined, viewer: undefined })
  expect([none({}), none({ authorization: 'Bearer x' })]).toEqual(['none', 'none'])
})
