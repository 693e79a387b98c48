import { expect, it } from 'vitest'
import { isReady } from './is-ready.ts'

it.each([
  [undefined, false, false],
  [undefined, true, true],
  ['setup', false, false],
  ['setup', true, false],
  ['ready', false, false],
  ['ready', true, true],
] as const)('a runner that said %s, its port open: %s, is ready: %s', (said, isPortOpen, ready) =>
  expect(isReady(said, isPortOpen)).toBe(ready),
)
