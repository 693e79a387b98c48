import { expectTypeOf, test } from 'vitest'
import { createHealth } from './create-health.ts'
import type { Health } from './health.ts'
import { mountHealth } from './mount-health.ts'
import { healthListener } from './node/health-listener.ts'
import type { ProbeResponse } from './vocabulary/exchange.ts'

test('what it gives needs no annotations', () => {
  const health = createHealth()
  expectTypeOf(health).toEqualTypeOf<Health>()
  expectTypeOf(health.answer({ method: 'GET', target: '/' })).toEqualTypeOf<
    ProbeResponse | Promise<ProbeResponse> | undefined
  >()
  expectTypeOf(health.setup(async () => 5)).toEqualTypeOf<Promise<number>>()
  health.on('check', ({ name, durationMs }) =>
    expectTypeOf([name, durationMs]).toEqualTypeOf<(string | number)[]>(),
  )
  expectTypeOf(health.observe({ fall: 2 })).parameters.toEqualTypeOf<[number, object]>()
  expectTypeOf(mountHealth({ health }).health).toEqualTypeOf<Health>()
})

test('wrong options do not compile', () => {
  // @ts-expect-error: a key that does not exist
  createHealth({ budget: 5 })
  // @ts-expect-error: observing is an adapter's option, or health.observe()
  createHealth({ observe: true })
  // @ts-expect-error: not a direction
  createHealth({ readiness: { timeoutFailDirection: 'maybe' } })
  // @ts-expect-error: a check needs a run
  createHealth({ checks: [{ name: 'x' }] })
  // @ts-expect-error: a check answers nothing, true, false or a result
  createHealth({ checks: [{ name: 'x', run: () => 'ok' }] })
  // @ts-expect-error: no event of that name
  createHealth().on('chek', () => undefined)
  // @ts-expect-error: a number
  createHealth().observe({ fall: '3' })
  // @ts-expect-error: an answer function alone cannot observe
  healthListener({ answer: createHealth().answer }, { observe: true })
})
