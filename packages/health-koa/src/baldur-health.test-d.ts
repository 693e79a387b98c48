import { createHealth, type Health } from '@baldur/health-core'
import Router from '@koa/router'
import Koa from 'koa'
import mount from 'koa-mount'
import { expectTypeOf, test } from 'vitest'
import { baldurHealth } from './baldur-health.ts'

const health = createHealth({ env: {} })

interface State {
  user: string
}

test('it needs no annotations', () => {
  const app = new Koa()
  const middleware = baldurHealth()
  app.use(middleware)
  new Koa<State>().use(baldurHealth({ health, prefix: '/x', observe: true }))
  app.use(mount('/v1', baldurHealth({ health })))
  const router = new Router<State>()
  router.use('/v1', middleware.router.routes())
  app.use(middleware.router.routes())
  app.use(baldurHealth({ databases: {}, readiness: { budgetMs: 300 }, observe: { fall: 3, holdMs: 10_000 } }))
  expectTypeOf(middleware.health).toEqualTypeOf<Health>()
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
  // @ts-expect-error: the health is shown, and stays
  baldurHealth().health = health
})
