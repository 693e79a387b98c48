import { createHealth, type Health } from '@baldur/health-core'
import { writeAnswer } from '@baldur/health-core/node'
import type { Taker } from './gateway/create-gateway.ts'
import type { RunnersSettings } from './settings/settings.ts'
import type { Fleet } from './vocabulary/fleet.ts'

/** Dependencies of the app are looked at by the runners: an ill database does not make the gateway unready. */
const OF_THE_APP = /^BALDUR_(?:SQL|REDIS)_/

/** Resolves when a runner is ready for the first time. */
const firstReady = (fleet: Pick<Fleet, 'hasReady' | 'onRoom'>): Promise<void> =>
  new Promise((resolve) => {
    const off = fleet.onRoom(() => {
      if (!fleet.hasReady) return
      off()
      resolve()
    })
  })

/** The gateway's own health: starting until a runner is ready, and then ready while any is. */
export function gatewayHealth(
  fleet: Pick<Fleet, 'hasReady' | 'onRoom'>,
  { gateway, logger, clock, env }: Pick<RunnersSettings, 'gateway' | 'logger' | 'clock' | 'env'>,
): Health {
  const health = createHealth({
    prefix: gateway.prefix,
    checks: [{ name: 'runners', run: () => fleet.hasReady }],
    // what it asks is in memory: there is nothing to spare
    readiness: { cacheTtlMs: 0 },
    logger,
    clock,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_APP.test(name))),
  })
  void health.setup(() => firstReady(fleet))
  return health
}

/** Takes the requests that are probes of it. */
export const answerProbes =
  (health: Pick<Health, 'answer'>): Taker =>
  (request, response) => {
    const { method = '', url: target = '' } = request
    const answer = health.answer({ method, target, message: request })
    if (answer === undefined) return false
    writeAnswer(response, answer)
    return true
  }
