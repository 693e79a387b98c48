import fc from 'fast-check'
import { expect, test } from 'vitest'
import { healthUnderTest } from './testing/health-under-test.ts'
import { scriptedCheck } from './testing/scripted-check.ts'

/** What a database may be doing when it is asked. */
type Behaviour = {
  readonly how: 'usable' | 'failing' | 'stalled' | 'deaf' | 'late'
  readonly afterMs: number
}
type Step =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'ask'; readonly path: '/ready' | '/pool' | '' | '?nocache=true' }
  | ({ readonly do: 'become' } & Behaviour)

const BUDGETS = { '/ready': 500, '/pool': 2_500, '': 2_500, '?nocache=true': 2_500 } as const
const TTL_MS = 5_000

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3_000 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      path: fc.constantFrom(
        '/ready' as const,
        '/ready' as const,
        '/pool' as const,
        '' as const,
        '?nocache=true' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('become' as const),
      how: fc.constantFrom(
        'usable' as const,
        'usable' as const,
        'failing' as const,
        'stalled' as const,
        'deaf' as const,
        'late' as const,
      ),
      afterMs: fc.constantFrom(0, 1, 100, 499, 501, 800, 1_900, 2_100),
    }),
  },
)

test('whatever the database does and whoever asks: bounded, cheap, honest, one run at a time', async () => {
  const everSeen = { ready: 0, refused: 0, timedOut: 0, lateSuccess: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const database = scriptedCheck('x')
      const { ask, clock, health } = healthUnderTest({ databases: { default: database } })
      let behaviour: Behaviour = { how: 'usable', afterMs: 0 }
      // what really happened, noted by the database itself
      let lastSuccessAt = Number.NEGATIVE_INFINITY
      let lastFailureAt = Number.NEGATIVE_INFINITY
      const run = (): Promise<boolean> => {
        const startedAt = clock.now()
        const { how, afterMs } = behaviour
        return new Promise((resolve, reject) => {
          database.signal?.addEventListener('abort', () => {
            lastFailureAt = clock.now()
            // these two do not care, and one of them says yes when it is too late
            if (how !== 'deaf' && how !== 'late') reject(database.signal?.reason)
          })
          if (how === 'late') clock.after(3_500, () => resolve(true))
          if (how === 'stalled' || how === 'deaf' || how === 'late') return
          clock.after(afterMs, () => {
            const isInTime = clock.now() - startedAt < 2_000
            if (how === 'usable') {
              if (isInTime) lastSuccessAt = clock.now()
              if (isInTime && clock.now() - startedAt > 500) everSeen.lateSuccess += 1
              resolve(true)
            } else {
              lastFailureAt = clock.now()
              reject(new Error('no'))
            }
          })
        })
      }
      database.behave(run)
      const startedAt = clock.now()
      const answers: Promise<unknown>[] = []

      for (const one of steps) {
        if (one.do === 'become') behaviour = one
        if (one.do === 'wait') await clock.advance(one.ms)
        if (one.do !== 'ask') continue
        const probe = ask(one.path)
        const askedAt = clock.now()
        const judged = probe.answer.then(({ status, body }) => {
          const now = clock.now()
          // bounded
          expect(now - askedAt).toBeLessThanOrEqual(BUDGETS[one.path])
          if (one.path !== '/ready') return
          // honest: ready only after a success that is not older than a TTL (and the rest of its round) and not followed by a failure
          if (status === 200) {
            everSeen.ready += 1
            expect(now - lastSuccessAt).toBeLessThanOrEqual(TTL_MS + 500)
            expect(lastSuccessAt).toBeGreaterThanOrEqual(lastFailureAt)
          } else if (JSON.stringify(body).includes('timed_out')) everSeen.timedOut += 1
          else everSeen.refused += 1
        })
        // settles as time goes on; looked at below, where a failure shrinks
        answers.push(
          judged.then(
            () => undefined,
            (violation: unknown) => violation,
          ),
        )
      }
      await clock.advance(3_000)
      expect((await Promise.all(answers)).filter((violation) => violation !== undefined)).toEqual([])
      // cheap: each endpoint at most once in its TTL, a bypass once a second, whoever asks
      const elapsed = clock.now() - startedAt
      expect(database.most).toBeLessThanOrEqual(1)
      const most = 5 + elapsed / 5_000 + elapsed / 2_000 + (2 * elapsed) / 1_000
      expect(database.runs).toBeLessThanOrEqual(most)
      await Promise.race([health.close(), clock.advance(10_000)])
    }),
    // the same sequences in each run: what is counted below must not depend on luck
    { numRuns: 400, seed: 20_261_129 },
  )
  // the sequences reached what they are meant to try
  for (const [what, times] of Object.entries(everSeen)) expect([what, times > 20]).toEqual([what, true])
})
