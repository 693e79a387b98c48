import { describe, expect, it } from 'vitest'
import { QUEUE_FIXED } from '../settings/defaults.ts'
import { readWishes } from './read-wishes.ts'

const none = { method: 'POST', noRetry: false, startWithinMs: undefined, idempotencyKey: undefined }
const read = (headers: Parameters<typeof readWishes>[0]) => readWishes(headers, QUEUE_FIXED)

describe('what a caller says about its request', () => {
  it('is nothing at first', () => {
    expect(read({})).toEqual(none)
  })

  it.each([
    ['x-baldur-method', 'PUT', { method: 'PUT' }],
    ['x-baldur-method', 'head', { method: 'HEAD' }],
    ['x-baldur-no-retry', '1', { noRetry: true }],
    ['x-baldur-no-retry', '0', { noRetry: false }],
    ['x-baldur-start-timeout', '30', { startWithinMs: 30_000 }],
    ['x-baldur-start-timeout', '0.25', { startWithinMs: 250 }],
    ['x-baldur-start-timeout', '86400', { startWithinMs: 86_400_000 }],
    ['idempotency-key', 'a', { idempotencyKey: 'a' }],
    ['idempotency-key', '"!~"', { idempotencyKey: '"!~"' }],
    ['idempotency-key', 'k'.repeat(255), { idempotencyKey: 'k'.repeat(255) }],
  ])('%s: %s', (name, value, wish) => {
    expect(read({ [name]: value })).toEqual({ ...none, ...wish })
  })

  it.each([
    [
      'x-baldur-method',
      ['BREW', '', 'CONNECT', 'TRACE', 'GET, PUT', 'GET '],
      /one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS/,
    ],
    ['x-baldur-no-retry', ['true', '', '2', '1, 1'], /1 or 0/],
    [
      'x-baldur-start-timeout',
      ['0', '-1', '', '1e3', 'Infinity', 'NaN', '5s', '86400.1', '1, 2', '0x10', '1'.repeat(400)],
      /seconds above 0 and at most 86400/,
    ],
    ['idempotency-key', ['', 'a b', 'k'.repeat(256), 'é', '\t', 'a, b'], /1 to 255 visible ASCII characters/],
  ])('%s is refused with what is allowed', (name, values, allowed) => {
    for (const value of values) {
      const wishes = read({ [name]: value })
      expect(wishes, value).toHaveProperty('problem')
      expect((wishes as { problem: string }).problem).toMatch(allowed)
      expect((wishes as { problem: string }).problem).toContain(name)
    }
  })

  it('is refused where a header came twice', () => {
    expect(read({ 'idempotency-key': ['a', 'b'] })).toHaveProperty('problem')
  })
})
