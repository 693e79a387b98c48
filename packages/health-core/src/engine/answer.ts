import type { Clock } from '../machinery/clock.ts'
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
import type { Told, VerdictSource } from './verdict.ts'

export type Answer = ProbeResponse | Promise<ProbeResponse>

/** The framework-free answer: undefined when the request is not ours, synchronous when nothing has to be waited for. Never throws or rejects. */
export type AnswerFunction = (request: ProbeRequest) => Answer | undefined

export interface AnswerParts {
  readonly lifecycle: LifecycleControl
  readonly readiness: Source<Readiness>
  readonly verdict: VerdictSource
  /** What a service that asks as a check of its own is told: of checks that ask nobody else. */
  readonly forPeers: { readonly readiness: Source<Readiness>; readonly verdict: VerdictSource }
  readonly pool: Source<Pool>
  readonly prefix: string
  readonly paths: Readonly<Record<Probe, string>>
  readonly expose: 'code' | 'message'
  isHealingOn(): boolean
  /** What is wrong with checks, by the name that they have in the verdict, in words that only a caller with a key may read. */
  problems(): Readonly<Record<string, string>>
  /** Another answer to `/health` came from there. */
  counted(hit: Hit): void
  readonly renderIntervalMs: number
  readonly retryAfterSeconds: number
  readonly clock: Clock
  readonly logger: Logger
}

export function createAnswer(parts: AnswerParts): AnswerFunction {
  const { lifecycle, pool, clock, logger, renderIntervalMs } = parts
  const probes = new Map(Object.entries(parts.paths).map(([probe, path]) => [path, probe as Probe]))

  const poolBytes = remember(clock, renderIntervalMs, () => renderPool(pool.view(), parts.expose))

  /** What the phase says in place of an endpoint's own answer. Draining beats everything. */
  const phaseAnswer = (probe: Probe): ProbeResponse | undefined => {
    const { instead, drain } = lifecycle
    if (instead === 'draining') {
      return renderDraining(drain?.retryAfterSeconds ?? parts.retryAfterSeconds, lifecycle.inFlight())
    }
    return instead === undefined || probe === 'pool' ? undefined : renderPhase(instead)
  }

  /** Waits for a source only if it must; a drain that began meanwhile is told of. */
  const from = (probe: Probe, wait: Promise<void> | undefined, made: () => ProbeResponse): Answer =>
    wait === undefined ? made() : wait.then(() => phaseAnswer(probe) ?? made())

  /** Readiness and health, each kept as ready bytes. */
  const told = ({ readiness, verdict }: AnswerParts['forPeers']) => {
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
    const bytes = (asked: Told, expose: ProbeRequest['expose']): ProbeResponse => {
      if (asked === 'error') return BROKEN
      if (asked === 'unavailable') return UNAVAILABLE
      parts.counted(asked)
      // few ask with a key: what they read is kept for nobody
      if (expose === 'message') return renderAs(asked, { problems: parts.problems() })
      return verdicts[asked](verdict.version())
    }
    return {
      ready: () => from('ready', readiness.ask(), () => ready(readiness.version())),
      health: (nocache: boolean, expose: ProbeRequest['expose']): Answer => {
        const asked = verdict.ask(nocache)
        if (!(asked instanceof Promise)) return bytes(asked, expose)
        return asked.then((late) => phaseAnswer('health') ?? bytes(late, expose))
      },
    }
  }
  const toProbers = told(parts)
  const toPeers = parts.forPeers.verdict === parts.verdict ? toProbers : told(parts.forPeers)

  const respond = ({ probe, nocache }: Route, { message, expose }: ProbeRequest): Answer => {
    if (probe === 'live') return ALIVE
    if (probe === 'ping') return PONG
    if (probe === 'startup') return STARTUP[lifecycle.startup]
    const instead = phaseAnswer(probe)
    if (instead !== undefined) return instead
    if (probe === 'pool') {
      const made = (): ProbeResponse =>
        expose === 'message' ? renderPool(pool.view(), expose) : poolBytes(pool.version())
      return from(probe, pool.ask(), made)
    }
    const isPeer = message?.headers?.[PEER_HEADER] !== undefined
    const { ready, health } = isPeer ? toPeers : toProbers
    // a peer starts nothing that a cached answer would spare
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
      lifecycle.answered()
      const answer = respond(found, request)
      if (!(answer instanceof Promise)) return shape(answer)
      return answer.catch((error: unknown) => broken(found.probe, error)).then(shape)
    } catch (error) {
      return shape(broken(found.probe, error))
    }
  }
}
