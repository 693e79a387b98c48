import { expect, test } from 'vitest'
import { diskCheck } from './checks/disk/disk-check.ts'
import { eventLoopCheck } from './checks/event-loop/event-loop-check.ts'
import { httpCheck } from './checks/http/http-check.ts'
import { memoryCheck } from './checks/memory/memory-check.ts'
import { mysqlCheck } from './checks/mysql/mysql-check.ts'
import { postgresCheck } from './checks/postgres/postgres-check.ts'
import { redisCheck } from './checks/redis/redis-check.ts'
import { tcpCheck } from './checks/tcp/tcp-check.ts'
import { createHealth } from './create-health.ts'
import type { Check, CheckPolicy } from './vocabulary/check.ts'

const ask = (): Promise<unknown> => new Promise(() => undefined)
const on = (): void => undefined
const client = { status: 'ready', connect: ask, ping: ask, setrange: ask, on, removeListener: on }
const MAKERS: readonly (readonly [factory: string, make: (policy: CheckPolicy) => Check])[] = [
  ['postgresCheck', (policy) => postgresCheck('postgres://h/d', policy)],
  ['mysqlCheck', (policy) => mysqlCheck('mysql://h/d', policy)],
  ['redisCheck', (policy) => redisCheck(client, policy)],
  ['httpCheck', (policy) => httpCheck('http://h/', policy)],
  ['tcpCheck', (policy) => tcpCheck('h', 1, policy)],
  ['diskCheck', (policy) => diskCheck('/', policy)],
  ['eventLoopCheck', (policy) => eventLoopCheck(policy)],
  ['memoryCheck', (policy) => memoryCheck(policy)],
]

test.each(MAKERS)('%s takes a heal, and hands it on as it is', async (_factory, make) => {
  const heal = { run: () => undefined, maxAttempts: 2 }
  const check = make({ heal })
  expect(check.heal).toBe(heal)
  const health = createHealth({ env: {}, watchdog: false, checks: [check] })
  await health.close()
})

test.each(MAKERS)('%s: a heal that is none is refused with the health', (_factory, make) => {
  const check = make({ heal: { run: 'x' } as never })
  expect(() => createHealth({ env: {}, checks: [check] })).toThrow(
    /\.heal: expected an object with a function run/,
  )
})
