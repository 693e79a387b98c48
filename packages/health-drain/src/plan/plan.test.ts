import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOUNDS, type Durations, PRESETS, type PresetName } from './defaults.ts'
import { explainPlan } from './explain.ts'
import { type Given, makePlan } from './plan.ts'

const planOf = (preset: PresetName, given: Given = {}) => makePlan(preset, given)
const PRESET_NAMES = Object.keys(PRESETS) as PresetName[]

describe('a plan', () => {
  it.each<[PresetName, Partial<Durations>]>([
    [
      'kubernetes',
      {
        shutdownDelayMs: 5_000,
        readinessDelayMs: 0,
        requestTimeoutMs: 20_000,
        hookTimeoutMs: 3_000,
        gracePeriodMs: 30_000,
      },
    ],
    [
      'loadBalancer',
      {
        shutdownDelayMs: 15_000,
        readinessDelayMs: 0,
        requestTimeoutMs: 25_000,
        hookTimeoutMs: 3_000,
        gracePeriodMs: 45_000,
      },
    ],
    [
      'externalTrafficLocal',
      { shutdownDelayMs: 20_000, readinessDelayMs: 12_000, requestTimeoutMs: 35_000, gracePeriodMs: 60_000 },
    ],
    [
      'docker',
      { shutdownDelayMs: 1_000, requestTimeoutMs: 5_000, hookTimeoutMs: 2_000, gracePeriodMs: 10_000 },
    ],
    ['development', { shutdownDelayMs: 0, settleMs: 0, requestTimeoutMs: 25_000, gracePeriodMs: 30_000 }],
  ])('of the preset %s', (preset, expected) => {
    const { plan, misfits } = planOf(preset)
    expect(plan).toMatchObject({ preset, lingerMs: 500, ...expected })
    expect(misfits).toEqual([])
  })

  it('gives requests what remains', () => {
    expect(planOf('kubernetes', { shutdownDelayMs: 1_000 }).plan.requestTimeoutMs).toBe(24_000)
    expect(planOf('kubernetes', { preStopMs: 5_000 }).plan.requestTimeoutMs).toBe(15_000)
    expect(planOf('kubernetes', { gracePeriodMs: 60_000 }).plan.requestTimeoutMs).toBe(50_000)
  })

  it('shrinks what is not given into a shorter grace period', () => {
    const { plan, misfits } = planOf('kubernetes', { gracePeriodMs: 10_000 })
    expect(plan).toMatchObject({
      shutdownDelayMs: 1_666,
      hookTimeoutMs: 1_000,
      marginMs: 666,
      requestTimeoutMs: 6_668,
    })
    expect(misfits).toEqual([])
  })

  it('whatever fits, ends before the platform kills', () => {
    const given = fc.record(
      Object.fromEntries(
        Object.entries(BOUNDS).map(([name, { min, max }]) => [
          name,
          fc.integer({ min, max: Math.min(max, 90_000) }),
        ]),
      ),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom(...PRESET_NAMES), given, (preset, durations) => {
        const { plan, misfits } = planOf(preset, durations)
        if (misfits.length > 0) return
        const ends = plan.preStopMs + plan.shutdownDelayMs + plan.requestTimeoutMs + plan.hookTimeoutMs
        expect(ends).toBeLessThanOrEqual(plan.gracePeriodMs)
        expect(plan.settleMs).toBeLessThanOrEqual(plan.shutdownDelayMs)
        expect(plan.readinessDelayMs).toBeLessThanOrEqual(plan.shutdownDelayMs)
        expect(plan.lingerMs).toBeLessThanOrEqual(plan.requestTimeoutMs)
        expect(plan).toMatchObject(durations)
      }),
      { numRuns: 2_000 },
    )
  })

  it('with a grace period alone, or with none, always fits', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PRESET_NAMES),
        fc.integer({ min: 1_000, max: 3_600_000 }),
        (preset, gracePeriodMs) => {
          const { plan, misfits } = planOf(preset, { gracePeriodMs })
          expect(misfits).toEqual([])
          expect(plan.requestTimeoutMs).toBeGreaterThanOrEqual(BOUNDS.requestTimeoutMs.min)
        },
      ),
    )
  })
})

describe('values that do not fit', () => {
  it('name their sum', () => {
    expect(planOf('kubernetes', { requestTimeoutMs: 30_000, preStopMs: 1_000 }).misfits).toEqual([
      {
        path: 'gracePeriodMs',
        expected:
          'at least what the drain takes: preStopMs 1000 + shutdownDelayMs 5000 + hookTimeoutMs 3000 + margin 2000 + requestTimeoutMs 30000 = 41000 milliseconds',
        got: '30000 milliseconds',
      },
    ])
  })

  it('leave nothing to requests', () => {
    expect(planOf('docker', { shutdownDelayMs: 9_000 }).misfits).toMatchObject([{ path: 'gracePeriodMs' }])
    expect(planOf('kubernetes', { preStopMs: 20_000 }).misfits).toMatchObject([{ path: 'gracePeriodMs' }])
  })

  it.each<[Given, string]>([
    [{ shutdownDelayMs: 1_000, settleMs: 2_000 }, 'settleMs'],
    [{ shutdownDelayMs: 1_000, readinessDelayMs: 2_000 }, 'readinessDelayMs'],
    [{ requestTimeoutMs: 1_000, lingerMs: 2_000 }, 'lingerMs'],
  ])('%j', (given, path) => {
    expect(planOf('kubernetes', given).misfits).toMatchObject([{ path }])
  })
})

describe('the timeline in words', () => {
  const ALL = { hasServer: true, hasHealth: true }
  const NONE = { hasServer: false, hasHealth: false }

  it('of a worker speaks of nothing that it has not', () => {
    const plan = { ...planOf('kubernetes').plan, shutdownDelayMs: 0, settleMs: 0, lingerMs: 0 }
    expect(explainPlan(plan, 'reject', NONE)).toMatchInlineSnapshot(`
      "     0 s  workers are told to take no more
          20 s  what still runs is aborted and named; shutdown hooks begin, sooner if nothing runs
          23 s  hooks that still run are given up and named; the process can exit
          30 s  the platform kills (grace period 30 s)"
    `)
  })

  it('of the defaults', () => {
    expect(explainPlan(planOf('kubernetes').plan, 'serve', ALL)).toMatchInlineSnapshot(`
      "     0 s  requests are still served; answers say Connection: close, upgrades are refused
           0 s  readiness, health and pool answer 503; liveness and ping stay 200
         4.7 s  answers keep their connections again, so that few are being opened
           5 s  the listener closes; a request that still comes on an open connection is served
         5.5 s  idle connections are closed
          25 s  what still runs is aborted and named; shutdown hooks begin, sooner if nothing runs
          28 s  hooks that still run are given up and named; the process can exit
          30 s  the platform kills (grace period 30 s)
      A balancer must have taken the instance out by 5 s: its interval x fall + check timeout has to be shorter than 5 s."
    `)
  })

  it('is in the order of time, whatever the plan', () => {
    for (const preset of PRESET_NAMES) {
      for (const [late, has] of [
        ['serve', ALL],
        ['reject', ALL],
        ['serve', NONE],
      ] as const) {
        const times = explainPlan(planOf(preset).plan, late, has)
          .split('\n')
          .slice(0, -1)
          .map((line) => Number.parseFloat(line))
        expect(times).toEqual([...times].sort((a, b) => a - b))
      }
    }
  })
})
