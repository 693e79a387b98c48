import { createHealth, type Health } from '@baldur/health-core'
import { writeAnswer } from '@baldur/health-core/node'
import type { Taker } from './gateway/create-gateway.ts'
import type { RunnersSettings } from './settings/settings.ts'
import type { Fleet } from './vocabulary/fleet.ts'

/** Dependencies of the app are looked at by the runners: an ill database does not make the gateway unready. */
const OF_THE_APP = /^BALDUR_(?:SQL|REDIS)_/

/** The gateway's own health: ready while any runner is. */
export function gatewayHealth(
  fleet: Pick<Fleet, 'hasReady'>,
  { gateway, logger, clock, env }: Pick<RunnersSettings, 'gateway' | 'logger' | 'clock' | 'env'>,
): Health {
  return createHealth({
    prefix: gateway.prefix,
    checks: [{ name: 'runners', run: () => fleet.hasReady }],
    // what it asks is in memory: there is nothing to spare
    readiness: { cacheTtlMs: 0 },
    logger,
    clock,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_APP.test(name))),
  })
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
