import { createHealth } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { expect, test } from 'vitest'
import { manualClock } from '../../health-core/src/machinery/manual-clock.ts'
import { onLeaving } from './on-leaving.ts'

const health = () => createHealth({ env: {}, watchdog: false })
const watched = (parts: Partial<Parameters<typeof onLeaving>[0]>) => {
  let left = 0
  const clock = manualClock()
  const forget = onLeaving(
    { health: health(), drain: undefined, duringDrain: 'stop', clock, ...parts },
    () => {
      left += 1
    },
  )
  return { clock, forget, left: () => left }
}

test('a drain that began while the server came up is heard of', () => {
  const leaving = health()
  leaving.beginDrain()
  expect(watched({ health: leaving }).left()).toBe(1)
})

test('is told once, whoever tells first', () => {
  const leaving = health()
  const drain = createDrain({ env: {}, health: leaving, preset: 'development' })
  const { left } = watched({ health: leaving, drain })
  void drain.start('test')
  expect(left()).toBe(1)
})

test('where the server serves through the drain its end is heard of in the same turn', () => {
  const leaving = health()
  const { left } = watched({ health: leaving, duringDrain: 'serve' })
  const steps = leaving.beginDrain()
  steps.terminating()
  expect(left()).toBe(0)
  steps.terminated()
  expect(left()).toBe(1)
})

test('a drain without the health is asked whether it has ended', async () => {
  const drain = createDrain({ env: {}, preset: 'development' })
  const { left, clock } = watched({ drain, duringDrain: 'serve' })
  await drain.start('test')
  expect(left()).toBe(0)
  await clock.advance(100)
  expect(left()).toBe(1)
  await clock.advance(1_000)
  expect(left()).toBe(1)
})

test('whoever has forgotten it hears nothing more', async () => {
  const leaving = health()
  const drain = createDrain({ env: {}, preset: 'development' })
  const { forget, left, clock } = watched({ health: leaving, drain, duringDrain: 'serve' })
  forget()
  leaving.beginDrain().terminated()
  await drain.start('test')
  await clock.advance(1_000)
  expect(left()).toBe(0)
})
