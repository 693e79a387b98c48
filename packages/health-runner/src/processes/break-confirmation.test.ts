import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { FIXED } from '../settings/defaults.ts'
import { createBreakConfirmation } from './break-confirmation.ts'

function suspicionUnderTest() {
  const clock = manualClock()
  const ill: string[] = []
  const process = { hasEnded: false }
  const suspicion = createBreakConfirmation({
    clock,
    hasEnded: () => process.hasEnded,
    onUnhealthy: (type) => ill.push(`${type} ${suspicion.isOpen}`),
  })
  return { clock, ill, process, suspicion }
}

describe('a broken connection', () => {
  it('is one of an ill runner when its process lives on', async () => {
    const { clock, ill, suspicion } = suspicionUnderTest()
    suspicion.begin('runner_disconnected')
    await clock.advance(FIXED.suspectMs - 1)
    expect([suspicion.isOpen, ill]).toEqual([true, []])
    await clock.advance(1)
    expect([suspicion.isOpen, ill]).toEqual([false, ['runner_disconnected false']])
  })

  it('of a process that has ended says nothing, and stays a suspicion until the exit is told', async () => {
    const { clock, ill, suspicion, process } = suspicionUnderTest()
    suspicion.begin('runner_disconnected')
    process.hasEnded = true
    await clock.advance(10 * FIXED.suspectMs)
    expect([suspicion.isOpen, ill]).toEqual([true, []])
  })

  it('that follows another one is thought about from then on, once', async () => {
    const { clock, ill, suspicion } = suspicionUnderTest()
    suspicion.begin('runner_disconnected')
    await clock.advance(FIXED.suspectMs - 1)
    suspicion.begin('runner_connection_refused')
    await clock.advance(FIXED.suspectMs - 1)
    expect(ill).toEqual([])
    await clock.advance(FIXED.suspectMs)
    expect(ill).toEqual(['runner_connection_refused false'])
    suspicion.begin('runner_disconnected')
    suspicion.drop()
    expect(clock.pending).toBe(0)
  })
})
