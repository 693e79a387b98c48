// @module-tag nginx
import { type AppExit, type PrivateNginx, startNginx } from 'health-testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  FRAMEWORKS,
  type Framework,
  type Outcome,
  REPETITIONS,
  sayFigures,
  startClients,
  startInstance,
} from './rolling.ts'

interface Rolled {
  readonly outcome: Outcome
  readonly exits: readonly AppExit[]
  readonly nginx: PrivateNginx
  readonly cuts: readonly string[]
  /** Requests that went on to the other instance, since this one refused them. */
  readonly passedOn: number
}

/** What nginx says of a server that closed its connection too early. */
const CUT = /reset by peer|prematurely closed|broken pipe/i
/**
 * Much faster than behind HAProxy: the more connections are made, the more are on their way when a listener closes. About 700 requests a
 * second, half of what the machine can do: a machine without time to spare leaves connections in the accept backlog, which no process can
 * save (decision 008).
 */
const LOAD = { clients: 25, slowestMs: 30, longestPauseMs: 40 }
const TIMEOUT_MS = 180_000

/** Ends and starts one instance after the other under load, each so many times; nginx notices by being refused alone. */
async function roll(framework: Framework, times: number, signal?: NodeJS.Signals): Promise<Rolled> {
  const instances = [await startInstance(framework, 1_000), await startInstance(framework, 1_000)]
  const nginx = await startNginx({ servers: instances.map(({ port }) => port), maxFails: 0 })
  onTestFinished(async () => {
    await nginx.stop()
  })
  const clients = await startClients({ port: nginx.port, ...LOAD })
  const exits: AppExit[] = []
  for (let time = 0; time < times; time += 1) {
    for (const instance of instances) {
      exits.push(await instance.end(signal))
      await instance.start()
    }
  }
  const outcome = await clients.finish()
  const cuts = nginx.errors().filter((line) => CUT.test(line))
  const accesses = await nginx.accesses()
  const passedOn = accesses.filter(({ upstream }) => upstream.length > 1).length
  sayFigures(
    `${framework} behind nginx ${nginx.version}, ${times} times each`,
    outcome,
    `, ${cuts.length} cuts in its log, ${passedOn} passed on`,
  )
  return { outcome, exits, nginx, cuts, passedOn }
}

describe('a rolling restart of two instances behind nginx, under load, half of it POST', () => {
  test.each(FRAMEWORKS)(
    `%s: ${REPETITIONS} times each, no request fails and nginx meets no cut connection`,
    async (framework) => {
      const { outcome, exits, nginx, cuts } = await roll(framework, REPETITIONS)
      expect(outcome.failures).toEqual({})
      expect(cuts).toEqual([])
      expect(exits.map(({ code }) => code)).toEqual(Array.from({ length: 2 * REPETITIONS }, () => 0))
      const posts = (await nginx.accesses()).filter(({ method }) => method === 'POST')
      expect(posts.length / outcome.sent).toBeGreaterThan(0.4)
    },
    TIMEOUT_MS * REPETITIONS,
  )
})

describe('this test can fail', () => {
  test(
    'of a killed instance clients get 502, and nginx logs why',
    async () => {
      // nginx sends what is safe to send again to the other one: a kill meets a few POSTs under way
      const { outcome, cuts } = await roll('koa', 3, 'SIGKILL')
      expect(outcome.failures['status 502']?.count).toBeGreaterThan(0)
      expect(cuts.length).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})
