import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  advance,
  INITIAL_LIFECYCLE,
  type Lifecycle,
  type LifecycleStep,
  phaseOf,
  startupOf,
} from './advance.ts'

const STEPS = [
  'setup_began',
  'setup_ended',
  'setup_failed',
  'answered',
  'draining',
  'terminating',
  'terminated',
] as const satisfies readonly LifecycleStep[]

const after = (...steps: readonly LifecycleStep[]): Lifecycle => steps.reduce(advance, INITIAL_LIFECYCLE)
const wordOf = (state: Lifecycle): string => {
  const phase = phaseOf(state)
  const startup = startupOf(state)
  return phase === startup ? phase : `${phase}(${startup})`
}

/** How each state was reached, and where each step leads from it; `-` where no setup is running that could end. */
const GRID: Readonly<Record<string, readonly [way: readonly LifecycleStep[], leadsTo: string]>> = {
  newborn: [[], 'starting - - started draining(starting) terminating(starting) terminated(starting)'],
  'has answered': [
    ['answered'],
    'starting - - started draining(started) terminating(started) terminated(started)',
  ],
  'one setup runs': [
    ['setup_began'],
    'starting started failed starting draining(starting) terminating(starting) terminated(starting)',
  ],
  'two setups run': [
    ['setup_began', 'setup_began'],
    'starting starting failed starting draining(starting) terminating(starting) terminated(starting)',
  ],
  'one setup of two has ended': [
    ['setup_began', 'setup_began', 'setup_ended'],
    'starting started failed starting draining(starting) terminating(starting) terminated(starting)',
  ],
  'its setup has ended': [
    ['setup_began', 'setup_ended'],
    'starting - - started draining(started) terminating(started) terminated(started)',
  ],
  'its setup has failed': [
    ['setup_began', 'setup_failed'],
    'failed - - failed draining(failed) terminating(failed) terminated(failed)',
  ],
  'one setup of two has failed': [
    ['setup_began', 'setup_began', 'setup_failed'],
    'failed failed failed failed draining(failed) terminating(failed) terminated(failed)',
  ],
  'drains while starting': [
    ['setup_began', 'draining'],
    'draining(starting) draining(started) draining(failed) draining(starting) draining(starting) terminating(starting) terminated(starting)',
  ],
  'drains though failed': [
    ['setup_began', 'setup_failed', 'draining'],
    'draining(failed) - - draining(failed) draining(failed) terminating(failed) terminated(failed)',
  ],
  drains: [
    ['answered', 'draining'],
    'draining(starting) - - draining(started) draining(started) terminating(started) terminated(started)',
  ],
  terminates: [
    ['answered', 'draining', 'terminating'],
    'terminating(starting) - - terminating(started) terminating(started) terminating(started) terminated(started)',
  ],
  'has terminated': [
    ['answered', 'draining', 'terminating', 'terminated'],
    'terminated(starting) - - terminated(started) terminated(started) terminated(started) terminated(started)',
  ],
}

const ROWS = Object.entries(GRID).flatMap(([state, [way, leadsTo]]) =>
  leadsTo.split(' ').map((to, i) => ({ state, way, step: STEPS[i] as LifecycleStep, to })),
)

describe('each step from each state', () => {
  it('has a row for every state and step', () => {
    expect(ROWS).toHaveLength(13 * STEPS.length)
  })

  it.each(ROWS.filter(({ to }) => to !== '-'))('$state, $step: $to', ({ way, step, to }) => {
    expect(wordOf(advance(after(...way), step))).toBe(to)
  })

  it('leaves the state it was given as it was', () => {
    const before = Object.freeze({ ...INITIAL_LIFECYCLE })
    for (const step of STEPS) advance(before, step)
    expect(before).toEqual({ pending: 0, failed: false, begun: false, exit: 'none' })
  })
})

/** Random steps, without a setup that ends and never began. */
const sequences = fc.array(fc.constantFrom(...STEPS), { maxLength: 20 }).map((steps) => {
  let running = 0
  return steps.filter((step) => {
    const ends = step === 'setup_ended' || step === 'setup_failed'
    if (ends && running === 0) return false
    running += step === 'setup_began' ? 1 : ends ? -1 : 0
    return true
  })
})

describe('over any sequence of steps', () => {
  const EXITS = ['none', 'draining', 'terminating', 'terminated']

  it('leaving never goes back, and what has failed stays failed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 20 }), (steps) => {
        let state = INITIAL_LIFECYCLE
        for (const step of steps) {
          const next = advance(state, step)
          expect(EXITS.indexOf(next.exit)).toBeGreaterThanOrEqual(EXITS.indexOf(state.exit))
          if (startupOf(state) === 'failed') expect(startupOf(next)).toBe('failed')
          state = next
        }
      }),
    )
  })

  it('the phase is what the steps together say: draining beats failed beats starting', () => {
    const furthest = (steps: readonly LifecycleStep[]): string | undefined =>
      ['terminated', 'terminating', 'draining'].find((exit) => steps.some((step) => step === exit))
    const count = (steps: readonly LifecycleStep[], which: LifecycleStep): number =>
      steps.filter((step) => step === which).length
    const startup = (steps: readonly LifecycleStep[]): string => {
      if (steps.includes('setup_failed')) return 'failed'
      const isRunning = count(steps, 'setup_began') > count(steps, 'setup_ended')
      return !isRunning && (steps.includes('setup_ended') || steps.includes('answered'))
        ? 'started'
        : 'starting'
    }
    fc.assert(
      fc.property(sequences, (steps) => {
        expect(startupOf(after(...steps))).toBe(startup(steps))
        expect(phaseOf(after(...steps))).toBe(furthest(steps) ?? startup(steps))
      }),
      { numRuns: 500 },
    )
  })
})
