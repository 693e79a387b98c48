import { createHealth, type Health } from '@baldur/health-core'
import express from 'express'
import { expectTypeOf, test } from 'vitest'
import { baldurHealth } from './baldur-health.ts'

const health = createHealth({ env: {} })

test('it needs no annotations', () => {
  const app = express()
  const middleware = baldurHealth()
  app.use(middleware)
  app.use('/api', baldurHealth({ health, prefix: '/x' }))
  express.Router().use(baldurHealth({ health, observe: true }))
  app.use(baldurHealth({ databases: {}, readiness: { budgetMs: 300 }, observe: { fall: 3, holdMs: 10_000 } }))
  expectTypeOf(middleware.health).toEqualTypeOf<Health>()
  expectTypeOf(baldurHealth).parameter(0).extract<undefined>().toEqualTypeOf<undefined>()
})

test('undefined means absent', () => {
  baldurHealth(undefined)
  baldurHealth({ health: undefined, prefix: undefined, observe: undefined })
})

test('wrong options do not compile', () => {
  // @ts-expect-error: a key that does not exist
  baldurHealth({ helth: health })
  // @ts-expect-error: a prefix is a string
  baldurHealth({ prefix: 5 })
  // @ts-expect-error: a health is what createHealth made
  baldurHealth({ health: { phase: 'started' } })
  // @ts-expect-error: numbers, not texts
  baldurHealth({ observe: { holdMs: '10s' } })
  // @ts-expect-error: a key that does not exist
  baldurHealth({ observe: { fal: 3 } })
  // @ts-expect-error: a check needs a run
  baldurHealth({ checks: [{ name: 'x' }] })
  // @ts-expect-error: the health is shown, and stays
  baldurHealth().health = health
})
