import { type AppExit, type HaproxyOptions, type PrivateHaproxy, startHaproxy } from 'health-testkit'
import { expect, onTestFinished } from 'vitest'
import {
  type Framework,
  type Outcome,
  READY_PATH,
  sayFigures,
  startClients,
  startInstance,
} from './rolling.ts'

export interface Roll extends Omit<HaproxyOptions, 'servers' | 'checkPath'> {
  readonly delayMs: number
  /** How often each of the two instances is ended and started again. */
  readonly times: number
  readonly signal?: NodeJS.Signals
}

export interface Rolled {
  readonly outcome: Outcome
  readonly exits: readonly AppExit[]
  readonly haproxy: PrivateHaproxy
}

/** It notices in 0.4 s, and repairs nothing. An instance may be slow to answer a check: that of a busy machine is not ill. */
export const QUICK = {
  delayMs: 1_000,
  interMs: 200,
  checkTimeoutMs: 5_000,
  fall: 2,
  rise: 2,
  retries: 0,
  reuse: 'always',
} as const
const NO_FAULT = {
  retries: 0,
  redispatches: 0,
  connectionErrors: 0,
  responseErrors: 0,
  serverAborts: 0,
  clientAborts: 0,
  answers4xx: 0,
  answers5xx: 0,
}
export const TIMEOUT_MS = 180_000

/** Ends and starts one instance after the other under load, the next one when HAProxy has taken the last one back. */
export async function roll(
  framework: Framework,
  { delayMs, times, signal, ...options }: Roll,
): Promise<Rolled> {
  const instances = new Map([
    ['a', await startInstance(framework, delayMs)],
    ['b', await startInstance(framework, delayMs)],
  ])
  const servers = [...instances].map(([name, { port }]) => ({ name, port }))
  const haproxy = await startHaproxy({ servers, checkPath: READY_PATH, ...options })
  onTestFinished(async () => {
    await haproxy.stop()
  })
  const clients = await startClients({ port: haproxy.port })
  const exits: AppExit[] = []
  for (let time = 0; time < times; time += 1) {
    for (const [name, instance] of instances) {
      exits.push(await instance.end(signal))
      await instance.start()
      await haproxy.untilUp(name, { timeoutMs: 30_000 })
    }
  }
  const outcome = await clients.finish()
  sayFigures(`${framework} behind HAProxy ${haproxy.version}, delay ${delayMs} ms`, outcome)
  return { outcome, exits, haproxy }
}

export async function expectNothingLost({ outcome, exits, haproxy }: Rolled, times: number): Promise<void> {
  expect(outcome.failures).toEqual({})
  expect(exits.map(({ code }) => code)).toEqual(Array.from({ length: 2 * times }, () => 0))
  const { faults, servers } = await haproxy.stats()
  expect(faults, haproxy.lines.slice(0, 50).join('\n')).toEqual(NO_FAULT)
  for (const { downs, reuses, connects } of Object.values(servers)) {
    expect(downs, 'HAProxy saw each of them leave').toBe(times)
    expect(reuses, 'its connections were kept').toBeGreaterThan(connects)
  }
}
