import type { Clock } from '../machinery/clock.ts'
import type { OwnContext } from '../machinery/own-context.ts'
import { formatError } from '../rules/problem.ts'
import {
  ALIVE,
  asOptions,
  BROKEN,
  NOT_ALLOWED,
  PONG,
  renderDraining,
  renderPhase,
  renderPool,
  renderReadiness,
  renderVerdict,
  STARTUP,
  UNAVAILABLE,
  withoutBody,
} from '../rules/render.ts'
import { type Route, route } from '../rules/route.ts'
import type { ProbeRequest, ProbeResponse } from '../vocabulary/exchange.ts'
import type { Logger } from '../vocabulary/logger.ts'
import { PEER_HEADER } from '../vocabulary/peer.ts'
import type { Probe } from '../vocabulary/probe.ts'
import type { Hit } from '../vocabulary/snapshot.ts'
import type { Pool, Readiness } from '../vocabulary/view.ts'
import type { LifecycleControl } from './lifecycle.ts'
import { remember } from './remember.ts'
import type { Source } from './source.ts'
import type { AnswerOrigin, VerdictSource } from './verdict.ts'

/** A response, or a promise of it while a check runs. */
export type Answer = ProbeResponse | Promise<ProbeResponse>

/** Answers a probe request; returns undefined for any other request, and a promise only when a check has to run. Never throws or rejects. */
export type AnswerFunction = (request: ProbeRequest) => Answer | undefined

export interface AnswerParts {
  readonly lifecycle: LifecycleControl
  readonly readiness: Source<Readiness>
  readonly verdict: VerdictSource
  /** Answers for peers (services that probe this one as a check): they leave peer checks out. */
  readonly forPeers: { readonly readiness: Source<Readiness>; readonly verdict: VerdictSource }
  readonly pool: Source<Pool>
  readonly prefix: string
  readonly paths: Readonly<Record<Probe, string>>
  readonly expose: 'code' | 'message'
  isHealingOn(): boolean
  /** Log messages of failing checks, by their name in the verdict; only callers with a key may read them. */
  problems(): Readonly<Record<string, string>>
  /** Counts one more answer to `/health` by its origin. */
  countHit(hit: Hit): void
  /** Calls a function outside the context of the request: the work that it begins may outlive the request. */
  readonly inOwnContext: OwnContext
  readonly renderIntervalMs: number
  readonly retryAfterSeconds: number
  readonly clock: Clock
  readonly logger: Logger
}

export function createAnswer(parts: AnswerParts): AnswerFunction {
  const { lifecycle, pool, clock, logger, renderIntervalMs } = parts
  const probes = new Map(Object.entries(parts.paths).map(([probe, path]) => [path, probe as Probe]))

  const poolBytes = remember(clock, renderIntervalMs, () => renderPool(pool.view(), parts.expose))

  /** The response that the phase puts in place of an endpoint's own. Draining beats everything. */
  const phaseAnswer = (probe: Probe): ProbeResponse | undefined => {
    const { instead, drain } = lifecycle
    if (instead === 'draining') {
      return renderDraining(drain?.retryAfterSeconds ?? parts.retryAfterSeconds, lifecycle.inFlight())
    }
    return instead === undefined || probe === 'pool' ? undefined : renderPhase(instead)
  }

  /** Waits for a source only if needed; a drain that began meanwhile replaces the response. */
  const from = (probe: Probe, wait: Promise<void> | undefined, render: () => ProbeResponse): Answer =>
    wait === undefined ? render() : wait.then(() => phaseAnswer(probe) ?? render())

  /** Creates the responders for readiness and health; each keeps its rendered response. */
  const createRenderers = ({ readiness, verdict }: AnswerParts['forPeers']) => {
    const renderAs = (hit: Hit, more?: Readonly<Record<string, unknown>>): ProbeResponse =>
      renderVerdict(verdict.view(), {
        wall: clock.wall(),
        hit,
        ageMs: verdict.ageMs(),
        baldurEnabled: parts.isHealingOn(),
        fields: { ...verdict.fields(), ...more },
      })
    const verdictAs = (hit: Hit): ((version: number) => ProbeResponse) =>
      remember(clock, renderIntervalMs, () => renderAs(hit))
    const ready = remember(clock, Number.POSITIVE_INFINITY, () => renderReadiness(readiness.view()))
    const verdicts = {
      L1: verdictAs('L1'),
      L2: verdictAs('L2'),
      L3: verdictAs('L3'),
      BYPASSED: verdictAs('BYPASSED'),
    } satisfies Record<Hit, unknown>
    const bytes = (origin: AnswerOrigin, expose: ProbeRequest['expose']): ProbeResponse => {
      if (origin === 'error') return BROKEN
      if (origin === 'unavailable') return UNAVAILABLE
      parts.countHit(origin)
      // requests with a key are rare: their response is not cached
      if (expose === 'message') return renderAs(origin, { problems: parts.problems() })
      return verdicts[origin](verdict.version())
    }
    return {
      ready: () => from('ready', readiness.ask(), () => ready(readiness.version())),
      health: (nocache: boolean, expose: ProbeRequest['expose']): Answer => {
        const origin = verdict.ask(nocache)
        if (!(origin instanceof Promise)) return bytes(origin, expose)
        return origin.then((late) => phaseAnswer('health') ?? bytes(late, expose))
      },
    }
  }
  const proberAnswers = createRenderers(parts)
  const peerAnswers =
    parts.forPeers.verdict === parts.verdict ? proberAnswers : createRenderers(parts.forPeers)

  const respond = ({ probe, nocache }: Route, { message, expose }: ProbeRequest): Answer => {
    if (probe === 'live') return ALIVE
    if (probe === 'ping') return PONG
    if (probe === 'startup') return STARTUP[lifecycle.startup]
    const instead = phaseAnswer(probe)
    if (instead !== undefined) return instead
    if (probe === 'pool') {
      const render = (): ProbeResponse =>
        expose === 'message' ? renderPool(pool.view(), expose) : poolBytes(pool.version())
      return from(probe, pool.ask(), render)
    }
    const isPeer = message?.headers?.[PEER_HEADER] !== undefined
    const { ready, health } = isPeer ? peerAnswers : proberAnswers
    // `nocache` of a peer is ignored: it must not start runs
    return probe === 'ready' ? ready() : health(nocache && !isPeer, expose)
  }

  const broken = (probe: Probe, error: unknown): ProbeResponse => {
    logger.error(`answering ${probe} failed: ${formatError(error)}`)
    if (probe === 'live') return ALIVE
    return probe === 'ping' ? PONG : BROKEN
  }

  return (request) => {
    const { method, target, prefix = parts.prefix } = request ?? {}
    const found = typeof target === 'string' ? route(target, prefix, probes) : undefined
    if (found === undefined) return undefined
    const shape = (response: ProbeResponse): ProbeResponse => {
      if (method === 'HEAD') return withoutBody(response)
      return method === 'OPTIONS' ? asOptions(response) : response
    }
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return NOT_ALLOWED
    try {
      lifecycle.markAnswered()
      const answer = parts.inOwnContext(respond, found, request)
      if (!(answer instanceof Promise)) return shape(answer)
      return answer.catch((error: unknown) => broken(found.probe, error)).then(shape)
    } catch (error) {
      return shape(broken(found.probe, error))
    }
  }
}
