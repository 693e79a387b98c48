import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { expectTypeOf, test } from 'vitest'
import { createHealth } from './create-health.ts'
import type { Health } from './health.ts'
import { mountHealth } from './mount-health.ts'
import { attachHealth } from './node/attach-health.ts'
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

test('the mountings take every kind of server, and undefined as absent', () => {
  const health = createHealth()
  const prefix = undefined as string | undefined
  createServer(
    healthListener(health, { prefix, observe: undefined, next: (_request, response) => response.end() }),
  )
  createHttpsServer({}, healthListener(health))
  createHttp2Server(healthListener(health))
  createHttp2Server(healthListener(health, { next: (_request, response) => response.stream.respond() }))
  for (const server of [createServer(), createHttpsServer({}), createHttp2Server()]) {
    expectTypeOf(attachHealth(server, health, { prefix })).toEqualTypeOf<() => void>()
  }
  // @ts-expect-error: an emitter that is no server
  attachHealth(new EventEmitter(), health)
  // @ts-expect-error: a prefix is a string
  attachHealth(createServer(), health, { prefix: 5 })
  // @ts-expect-error: a health, not what holds one
  attachHealth(createServer(), { health })
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
