import { createHealth, type Health } from '@baldur/health-core'
import Fastify from 'fastify'
import { expectTypeOf, test } from 'vitest'
import { type BaldurHealthOptions, baldurHealth } from './baldur-health.ts'

const health = createHealth({ env: {} })

test('it needs no annotations', async () => {
  const app = Fastify()
  await app.register(baldurHealth)
  await app.register(baldurHealth, { health, prefix: '/x', logLevel: 'info', observe: true })
  await app.register((inner) => inner.register(baldurHealth, { observe: { fall: 3, holdMs: 10_000 } }))
  expectTypeOf(app.health).toEqualTypeOf<Health>()
})

test('options may have a name', async () => {
  const options: BaldurHealthOptions = { health, observe: true, prefix: '/x' }
  await Fastify().register(baldurHealth, options)
})

test('wrong options do not compile', () => {
  const app = Fastify()
  // @ts-expect-error: a key that does not exist
  app.register(baldurHealth, { helth: health })
  // @ts-expect-error: a prefix is a string
  app.register(baldurHealth, { prefix: 5 })
  // @ts-expect-error: not a level
  app.register(baldurHealth, { logLevel: 5 })
  // @ts-expect-error: numbers, not texts
  app.register(baldurHealth, { observe: { holdMs: '10s' } })
})
