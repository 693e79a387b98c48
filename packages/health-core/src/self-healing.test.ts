import { describe, expect, it } from 'vitest'
import type { HealthOptions } from './options/input.ts'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'
import type { Heal, HealStep } from './vocabulary/heal.ts'

/** A database that fails, with a heal that a test scripts, polled for readiness every 5 s. */
function ailing(heal: Partial<Heal> = {}, options: HealthOptions = {}) {
  let tries = 0
  let outstanding = 0
  let most = 0
  let signal: AbortSignal | undefined
  const run = async (given: AbortSignal): Promise<void> => {
    tries += 1
    outstanding += 1
    most = Math.max(most, outstanding)
    signal = given
    try {
      await heal.run?.(given)
    } finally {
      outstanding -= 1
    }
  }
  const database = scriptedCheck('database', { heal: { ...heal, run } })
  database.behave(() => false)
  const test = healthUnderTest({ databases: { default: database }, ...options })
  const steps: HealStep[] = []
  test.health.on('heal', (step) => steps.push(step))
  return {
    ...test,
    database,
    steps,
    words: () => steps.map(({ kind, attempt }) => `${kind} ${attempt}`),
    tries: () => tries,
    most: () => most,
    signal: () => signal,
    /** As many runs, 5 s apart. */
    polls: async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        test.ask('/ready')
        await test.clock.advance(5_000)
      }
    },
  }
}

describe('a check that keeps failing', () => {
  it('is healed at its third failure in a row, and events and the log say so', async () => {
    const { polls, tries, steps, lines, database } = ailing()
    await polls(2)
    database.behave(() => true)
    await polls(1)
    database.behave(() => false)
    await polls(2)
    expect(tries()).toBe(0)
    await polls(1)
    expect(tries()).toBe(1)
    expect(steps).toEqual([
      { name: 'database_default', kind: 'started', attempt: 1 },
      { name: 'database_default', kind: 'succeeded', attempt: 1 },
    ])
    expect(lines.filter((line) => line.includes('healing'))).toEqual([
      'info: healing database_default: attempt 1 of 5 after 3 failed runs',
      'info: healing database_default: attempt 1 of 5 ended',
    ])
  })

  it('is not healed more often than the cooldown allows, nor more often than it may', async () => {
    const { polls, tries, words, lines } = ailing({ maxAttempts: 2 })
    await polls(3)
    expect(tries()).toBe(1)
    await polls(11)
    expect(tries()).toBe(1)
    await polls(1)
    expect(tries()).toBe(2)
    await polls(60)
    expect(tries()).toBe(2)
    expect(words()).toEqual(['started 1', 'succeeded 1', 'started 2', 'succeeded 2', 'exhausted 2'])
    expect(lines.filter((line) => line.includes('giving up'))).toEqual([
      'error: healing database_default: giving up after 2 attempts, until it is usable again',
    ])
  })

  it('counts anew once it has been usable', async () => {
    const { polls, words, database } = ailing({ maxAttempts: 1, cooldownMs: 0 })
    await polls(5)
    database.behave(() => true)
    await polls(1)
    database.behave(() => false)
    await polls(3)
    expect(words()).toEqual(['started 1', 'succeeded 1', 'exhausted 1', 'started 1', 'succeeded 1'])
  })

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('password=hunter2')
      },
    ],
    ['rejects', () => Promise.reject(new Error('password=hunter2'))],
  ])('a heal that %s is logged without its secrets, told, and tried again', async (_what, run) => {
    const { polls, steps, lines, tries } = ailing({ run, cooldownMs: 0 })
    await polls(4)
    expect(tries()).toBe(2)
    expect(steps[1]).toMatchObject({ kind: 'failed', attempt: 1, problem: { code: 'ERROR' } })
    expect(lines).toContain(
      'warn: healing database_default: attempt 1 of 5 failed: ERROR: check failed (password=***)',
    )
    expect(JSON.stringify([lines, steps])).not.toContain('hunter2')
  })

  it('a heal that hangs is aborted after 30 s, told as failed, and never overlaps itself', async () => {
    let free = (): void => undefined
    const run = () =>
      new Promise<void>((resolve) => {
        free = resolve
      })
    const { polls, words, tries, most, signal, get } = ailing({ run, cooldownMs: 0, maxAttempts: 9 })
    await polls(3)
    expect(words()).toEqual(['started 1'])
    expect(signal()?.aborted).toBe(false)
    await polls(6)
    expect(signal()?.aborted).toBe(true)
    expect(words()).toEqual(['started 1', 'failed 1'])
    await polls(20)
    expect([tries(), most()]).toEqual([1, 1])
    expect((await get('/ready', 500)).status).toBe(503)
    free()
    await polls(2)
    expect([tries(), most()]).toEqual([2, 1])
  })

  it('a heal that ends after its timeout is told once', async () => {
    const run = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const { polls, words } = ailing({ run })
    await polls(10)
    expect(words()).toEqual(['started 1', 'failed 1'])
  })
})

describe('the switch', () => {
  it.each([
    ['the option', { selfHealing: false }],
    ['the variable', { env: { BALDUR_ENABLED: 'false' } }],
  ])('%s turns it off, and the body says so', async (_what, options) => {
    const { polls, tries, get, health } = ailing({}, options)
    await polls(10)
    expect(tries()).toBe(0)
    expect((await get('', 2_500)).body).toMatchObject({ baldur_enabled: false })
    expect(health.selfHealing).toBe(false)
  })

  it('is turned while it runs: the body follows at once, and what is due is done at the next failure', async () => {
    const { polls, tries, get, health, lines } = ailing()
    await polls(2)
    health.setSelfHealing(false)
    health.setSelfHealing(false)
    await polls(5)
    expect(tries()).toBe(0)
    await get('', 2_500)
    // answered from ready bytes, which the switch makes anew
    expect((await get('')).body).toMatchObject({ baldur_enabled: false, _cache: { hit: 'L1' } })
    health.setSelfHealing(true)
    expect((await get('')).body).toMatchObject({ baldur_enabled: true })
    await polls(1)
    expect(tries()).toBe(1)
    expect(lines.filter((line) => line.includes('self-healing is'))).toEqual([
      'info: self-healing is off',
      'info: self-healing is on',
    ])
  })

  it.each([['false'], [0], [undefined], [null]])('%j is no position of it', (position) => {
    const { health } = ailing()
    expect(() => health.setSelfHealing(position as never)).toThrow(/setSelfHealing: expected true or false/)
    expect(health.selfHealing).toBe(true)
  })
})

describe('the end', () => {
  it('nothing is begun once a drain has, though a run that was under way fails in it', async () => {
    const { polls, tries, health, database, ask, clock } = ailing()
    await polls(2)
    database.behave('hang')
    ask('/ready')
    health.beginDrain()
    database.fail()
    await clock.advance(1)
    expect([tries(), database.runs]).toEqual([0, 3])
  })

  it('health.close() aborts the try under way, and nothing more is told', async () => {
    const run = (signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { polls, words, health, signal, clock } = ailing({ run }, { verdict: { refresh: false } })
    await polls(3)
    await health.close()
    expect(signal()?.aborted).toBe(true)
    await clock.advance(60_000)
    expect(words()).toEqual(['started 1'])
    expect(clock.pending).toBe(0)
  })
})
