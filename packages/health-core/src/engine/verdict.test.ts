import { beforeEach, describe, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../machinery/manual-clock.ts'
import { createPicture } from './picture.ts'
import { createResponses } from './responses.ts'
import { NOTHING_TO_REPORT, type SelfReport } from './self-report.ts'
import type { Tier, Tiers } from './tiers.ts'
import { type AnswerOrigin, createVerdict, type VerdictSource } from './verdict.ts'
import { createVerdictMachine, type VerdictMachine } from './verdict-machine.ts'

let clock: ManualClock
let lines: string[]
let fetches: number
/** What computing does. */
let behave: () => Tier | Promise<Tier>
let version: number
let machine: VerdictMachine

const log = (line: string): void => void lines.push(line)
const boom = (): never => {
  throw new Error('boom')
}

function verdictWith(self: SelfReport = NOTHING_TO_REPORT): VerdictSource {
  const logger = { debug: log, info: log, warn: log, error: log }
  const tiers: Tiers = {
    cachedTier: () => undefined,
    fetch: () => {
      fetches += 1
      version += 1
      return behave()
    },
    refresh: async () => {
      await behave()
      return 0
    },
    isSettled: true,
    read: () => ({ status: 'usable', wasUsable: true }),
    ageMs: () => 0,
    version: () => version,
  }
  machine = createVerdictMachine({ historyLength: 5, remindMs: 60_000 }, { clock, logger }, () => undefined)
  const responses = createResponses(
    clock,
    () => false,
    () => undefined,
  )
  responses.begin({ fall: 3, holdMs: 10_000 })
  return createVerdict(
    {
      picture: createPicture({ slots: [], tiers, responses, self, machine }),
      tiers,
      fields: self.fields,
      onProbe: () => undefined,
      clock,
      logger,
    },
    { bypassIntervalMs: 1_000, broken: { after: 3, forMs: 30_000 } },
  )
}

beforeEach(() => {
  clock = manualClock()
  lines = []
  fetches = 0
  version = 0
  behave = () => 'L3'
})

describe('our own code breaks', () => {
  const asked = async (verdict: VerdictSource, times: number): Promise<AnswerOrigin[]> => {
    const told: AnswerOrigin[] = []
    for (let i = 0; i < times; i++) told.push(await verdict.ask())
    return told
  }

  test.each([
    ['throws', boom],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])(
    'a computation that %s is an error, and after the third in a row nothing is tried for 30 s',
    async (_how, how) => {
      const verdict = verdictWith()
      behave = how
      expect(await asked(verdict, 5)).toEqual(['error', 'error', 'unavailable', 'unavailable', 'unavailable'])
      expect(fetches).toBe(3)
      await clock.advance(29_999)
      expect([verdict.ask(), fetches]).toEqual(['unavailable', 3])
      await clock.advance(1)
      expect(await verdict.ask()).toBe('unavailable')
      expect(fetches).toBe(4)
      behave = () => 'L3'
      await clock.advance(30_000)
      expect(await asked(verdict, 2)).toEqual(['L3', 'L3'])
      expect(lines.map((line) => line.replace(/boom.*?(;|$)/, 'boom$1'))).toEqual([
        'answering health failed: Error: boom',
        'answering health failed: Error: boom',
        'answering health failed: Error: boom; it is not tried again for 30 s',
        'answering health failed: Error: boom',
      ])
    },
  )

  test('one success in between starts the count again', async () => {
    const verdict = verdictWith()
    for (let i = 0; i < 10; i++) {
      behave = boom
      expect(await asked(verdict, 2)).toEqual(['error', 'error'])
      behave = () => 'L3'
      expect(await verdict.ask()).toBe('L3')
    }
  })

  test('all who waited for one computation are told of one failure', async () => {
    const verdict = verdictWith()
    let fail: (error: Error) => void = boom
    behave = () =>
      new Promise((_, reject) => {
        fail = reject
      })
    const told = Array.from({ length: 100 }, () => verdict.ask())
    fail(new Error('boom'))
    expect(new Set(await Promise.all(told))).toEqual(new Set(['error']))
    expect([fetches, lines.length]).toEqual([1, 1])
  })

  test('the refresher’s failures count too, and reach it', async () => {
    const verdict = verdictWith()
    behave = boom
    for (let i = 0; i < 3; i++) await expect(verdict.refresh(0)).rejects.toThrow('boom')
    await expect(verdict.refresh(0)).rejects.toThrow('paused after repeated failures')
    expect(verdict.ask()).toBe('unavailable')
  })

  test('so does deciding, whoever asked', async () => {
    const verdict = verdictWith({ ...NOTHING_TO_REPORT, causes: boom })
    expect(await asked(verdict, 3)).toEqual(['error', 'error', 'unavailable'])
    verdict.reevaluate()
    expect(lines.at(-1)).toMatch(/^computing the verdict failed: Error: boom/)
  })
})

describe('what the process says of itself', () => {
  test('degrades the verdict at most, is named among the causes, and moves the machine when it changes', () => {
    let causes: readonly string[] = []
    let changes = 0
    const self = {
      causes: () => causes,
      fields: () => ({ watchdog_status: 'degraded' }),
      version: () => changes,
    }
    const verdict = verdictWith(self)
    void verdict.ask()
    expect(verdict.view()).toMatchObject({ status: 'healthy', causes: [] })
    causes = ['event_loop']
    changes += 1
    verdict.reevaluate()
    expect(verdict.view()).toMatchObject({ status: 'degraded', causes: ['event_loop'] })
    expect(verdict.fields()).toEqual({ watchdog_status: 'degraded' })
    expect(machine.history).toMatchObject([{ from: 'healthy', to: 'degraded', cause: 'event_loop' }])
  })
})
