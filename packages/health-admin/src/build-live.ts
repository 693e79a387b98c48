import type { ServerResponse } from 'node:http'
import type { HealthSnapshot, Verdict } from '@baldur/health-core'
import { openEventStream } from './live/event-stream.ts'
import { createRecorder } from './live/recorder.ts'
import { renderState } from './live/render-state.ts'
import type { AdminState, InstanceState } from './live/state.ts'
import { createWatchers } from './live/watchers.ts'
import { isLeavingPhase } from './rules/is-leaving-phase.ts'
import type { Role } from './rules/role.ts'
import { REFUSALS } from './server/refusals.ts'
import type { Reply } from './server/respond.ts'
import { LIMITS, LIVE } from './settings/defaults.ts'
import type { AdminSettings } from './settings/read-settings.ts'

/** What is shown live. */
export interface Live {
  /** Opens a stream of events; gives what refuses it where there are too many. */
  watch(response: ServerResponse, role: Role): Reply | undefined
  /** Ends every stream, with a last `draining` where that is why. */
  end(isDraining: boolean): void
}

/** Our own code broke: that is no picture of the service, and only who asked was told. */
const brokenOf = (asked: Verdict | undefined): Verdict | undefined =>
  asked?.status === 'error' || asked?.status === 'unavailable' ? asked : undefined

/** Puts together what is seen, those who watch it, and the streams on which it is sent. */
export function buildLive(settings: AdminSettings, instance: InstanceState): Live {
  const { health, drain, keys, clock, logger } = settings
  const inFlight = (): number | undefined => drain?.stats().inFlight
  const recorder = createRecorder(health, LIVE.recentRuns)
  let asked: Verdict | undefined
  const ask = async (): Promise<void> => {
    asked = await health.watch()
  }
  const snapshot = (): HealthSnapshot => {
    const known = health.snapshot()
    // a drain that was given no health leaves all the same
    return drain !== undefined && isLeavingPhase(drain.phase) ? { ...known, phase: drain.phase } : known
  }
  const look = (): AdminState =>
    renderState({
      ...{
        wall: clock.wall(),
        snapshot: snapshot(),
        broken: brokenOf(asked),
        history: health.history,
      },
      ...{ isHealingOn: health.selfHealing, inFlight: inFlight(), instance },
      ...{ recentOf: recorder.recentOf, isTrusted: keys.operator !== undefined },
    })
  const watchers = createWatchers({ ...LIVE, health, ask, look, clock, logger })
  return {
    watch: (response, role) => {
      if (watchers.size >= LIMITS.watchers) return REFUSALS.watchers(LIMITS.watchers)
      const stream = openEventStream(response, {
        retryMs: LIVE.everyMs,
        bufferedBytes: LIMITS.bufferedBytes,
      })
      if (response.req.method === 'HEAD') {
        stream.end()
        return undefined
      }
      stream.send('hello', JSON.stringify({ role }))
      const leave = watchers.add(stream)
      response.once('close', leave)
      // one that stands in line behind another answer never hears that its connection has ended
      response.req.socket.once('close', leave)
      return undefined
    },
    end: (isDraining) => {
      recorder.stop()
      const data = JSON.stringify({
        status: 'draining',
        // left out without a drain: nobody counts
        in_flight: inFlight(),
        phase: drain?.phase ?? health.phase,
      })
      watchers.end(isDraining ? { event: 'draining', data } : undefined)
    },
  }
}
