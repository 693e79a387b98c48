import { expect, it } from 'vitest'
import { createUnderWay } from './under-way.ts'

it('takes a result once, however many read it, until the last of them has ended', () => {
  const underWay = createUnderWay(100)
  const [one, other] = [underWay.begin('a', 60), underWay.begin('a', 60)]
  expect(underWay.begin('b', 41)).toBeUndefined()
  const fits = underWay.begin('c', 40)
  expect(underWay.begin('a', 60)?.()).toBeUndefined()
  one?.()
  one?.()
  expect(underWay.begin('b', 41)).toBeUndefined()
  other?.()
  expect(underWay.begin('b', 41)).toBeDefined()
  fits?.()
  expect(underWay.begin('d', 59)).toBeDefined()
  expect(underWay.begin('e', 1)).toBeUndefined()
})

it('always gives one alone, and what nobody needs room for', () => {
  const underWay = createUnderWay(100)
  const end = underWay.begin('a', 500)
  expect(underWay.begin('b', 1)).toBeUndefined()
  expect(underWay.begin('a', 500)).toBeDefined()
  expect(underWay.begin('c', 0)).toBeDefined()
  expect(end).toBeDefined()
})
