import fc from 'fast-check'
import { expect } from 'vitest'
import { manualClock } from '../machinery/manual-clock.ts'
import { fakeStore } from './fake-store.ts'
import { healthUnderTest } from './health-under-test.ts'
import { scriptedCheck } from './scripted-check.ts'

// Readiness, verdict, drain and the counts behind them against a model that shares no code with them.

const NAMES = ['main', 'replica', 'queue', 'mail'] as const
type Name = (typeof NAMES)[number]

type Step =
  /** Every check runs once, with these results. */
  | { readonly do: 'run'; readonly good: Readonly<Record<Name, boolean>> }
  /** Polls within the TTL: nothing runs, nothing changes. */
  | { readonly do: 'poll'; readonly times: number }
  | { readonly do: 'drain' }

interface Bounds {
  readonly fall: number
  readonly rise: number
}

/** One check, counted by hand. */
class Counted {
  state: 'never' | 'up' | 'down' = 'never'
  readonly #results: boolean[] = []
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  ran(isGood: boolean): void {
    this.#results.push(isGood)
    const lastAll = (count: number, value: boolean): boolean =>
      this.#results.length >= count && this.#results.slice(-count).every((one) => one === value)
    if (this.state === 'never' && isGood) this.state = 'up'
    else if (this.state === 'up' && lastAll(this.#bounds.fall, false)) this.state = 'down'
    else if (this.state === 'down' && lastAll(this.#bounds.rise, true)) this.state = 'up'
  }

  get isUp(): boolean {
    return this.state === 'up'
  }
}

const bounds = fc.record({ fall: fc.integer({ min: 1, max: 4 }), rise: fc.integer({ min: 1, max: 4 }) })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      good: fc.record({
        main: fc.boolean(),
        replica: fc.boolean(),
        queue: fc.boolean(),
        mail: fc.boolean(),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('poll' as const), times: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'drain' as const }) },
)

/** Runs random sequences of runs, polls and drains against the model; gives how often each move, each answer and a drain was reached. */
export async function compareWithModel(sequences: {
  readonly numRuns: number
  readonly seed: number
}): Promise<Readonly<Record<string, number>>> {
  const seen: Record<string, number> = {}
  const count = (what: unknown): void => {
    seen[String(what)] = (seen[String(what)] ?? 0) + 1
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.record({ main: bounds, replica: bounds, queue: bounds, mail: bounds }),
      fc.boolean(),
      async (steps, policies, isShared) => {
        const clock = manualClock()
        const made = {
          main: scriptedCheck('x', policies.main),
          replica: scriptedCheck('x', policies.replica),
          queue: scriptedCheck('queue', policies.queue),
          mail: scriptedCheck('mail', { ...policies.mail, critical: false }),
        }
        const { health, get } = healthUnderTest(
          {
            databases: { default: made.main, replica: made.replica },
            checks: [made.queue, made.mail],
            // nobody else is there, so that a store must not change a thing
            ...(isShared ? { namespace: 'a', verdict: { store: fakeStore(clock), refresh: false } } : {}),
          },
          clock,
        )
        const model = {
          main: new Counted(policies.main),
          replica: new Counted(policies.replica),
          queue: new Counted(policies.queue),
          mail: new Counted(policies.mail),
        }
        let runs = 0
        let isDraining = false
        let condition = 'healthy'
        const moves: string[] = []

        for (const one of steps) {
          if (one.do === 'drain') {
            health.beginDrain()
            isDraining = true
          }
          // longer than readiness is cached, shorter than a refresh
          if (one.do === 'run' && !isDraining) {
            for (const name of NAMES) {
              made[name].behave(() => one.good[name])
              model[name].ran(one.good[name])
            }
            runs += 1
            await clock.advance(5_000)
            await get('?nocache=true')
          }
          if (runs === 0 && !isDraining) continue

          const { main, replica, queue, mail } = model
          const depools = !main.isUp || !queue.isUp
          const now = depools ? 'unhealthy' : replica.isUp && mail.isUp ? 'healthy' : 'degraded'
          if (!isDraining && now !== condition) {
            moves.push(`${condition} ${now}`)
            condition = now
          }
          const isReady = main.isUp && replica.isUp && queue.isUp
          for (let i = 0; i < (one.do === 'poll' ? one.times : 1); i++) {
            const [ready, full] = [await get('/ready'), await get('')]
            expect((await get('/live')).status).toBe(200)
            if (isDraining) {
              for (const { status, body } of [ready, full])
                expect([status, body.status]).toEqual([503, 'draining'])
              continue
            }
            expect([ready.status, ready.body.status]).toEqual(isReady ? [200, 'ready'] : [503, 'not_ready'])
            expect([full.status, full.body.status]).toEqual([now === 'unhealthy' ? 503 : 200, now])
            expect(full.body.checks).toEqual({
              database: main.isUp ? 'healthy' : 'unhealthy',
              database_replica: replica.isUp ? 'healthy' : 'unhealthy',
              queue: queue.isUp ? 'healthy' : 'unhealthy',
              mail: mail.isUp ? 'healthy' : 'unhealthy',
            })
            count(isReady)
          }
          for (const name of NAMES) expect([name, made[name].runs]).toEqual([name, runs])
          expect(health.history.map(({ from, to }) => `${from} ${to}`)).toEqual(moves.slice(-50))
        }
        for (const name of moves) count(name)
        if (isDraining) count('draining')
        await health.close()
      },
    ),
    sequences,
  )
  return seen
}
