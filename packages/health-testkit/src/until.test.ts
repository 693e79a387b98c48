import { describe, expect, it } from 'vitest'
import { until } from './until.ts'

describe('until', () => {
  it('gives the first value that is not empty, and takes an error for not yet', async () => {
    let calls = 0
    const condition = async () => {
      calls += 1
      if (calls === 1) throw new Error('not there')
      return calls < 3 ? undefined : 'there'
    }
    expect(await until(condition, { everyMs: 1 })).toBe('there')
  })

  it('rejects with the message and the last outcome', async () => {
    await expect(until(() => 0, { timeoutMs: 20, message: 'the moon' })).rejects.toThrow(
      'waited 20 ms for the moon; at last it gave 0',
    )
    const failing = () => Promise.reject(new Error('clouds'))
    await expect(until(failing, { timeoutMs: 20 })).rejects.toThrow('at last it threw Error: clouds')
  })
})
