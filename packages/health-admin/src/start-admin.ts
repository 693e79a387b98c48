import { createServer, type ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { tell } from '@baldur/health-core/shared'
import { openEventStream } from './live/event-stream.ts'
import { createRecorder } from './live/recorder.ts'
import { renderState } from './live/render-state.ts'
import type { AdminState, InstanceState } from './live/state.ts'
import { createWatchers } from './live/watchers.ts'
import { createMetrics } from './metrics/create-metrics.ts'
import { isLeaving, onLeaving } from './on-leaving.ts'
import type { AdminOptions, AdminServer } from './options.ts'
import { renderPage } from './page/render-page.ts'
import { createRoles, type Role } from './rules/role.ts'
import { boundConnections } from './server/bounded-connections.ts'
import { createHandler } from './server/create-handler.ts'
import { listen } from './server/listen.ts'
import { REFUSALS } from './server/refusals.ts'
import type { Reply } from './server/respond.ts'
import { LIMITS, LIVE } from './settings/defaults.ts'
import { type AdminSettings, readAdminSettings } from './settings/read-settings.ts'

const NOWHERE: AdminServer = { url: undefined, close: async () => undefined }

function instanceOf({ health, version, clock }: AdminSettings): InstanceState {
  const { namespace } = health.explain()
  return {
    host: hostname(),
    pid: process.pid,
    node: process.version,
    started_at: new Date(clock.wall() - process.uptime() * 1_000).toISOString(),
    ...(version === undefined ? {} : { version }),
    ...(namespace === undefined ? {} : { namespace }),
  }
}

/** The one builder, which alone knows every part. */
async function run(settings: AdminSettings): Promise<AdminServer> {
  const { health, drain, keys, registry, version, clock, logger } = settings
  const instance = instanceOf(settings)
  const inFlight = (): number | undefined => drain?.stats().inFlight
  // first what may refuse: a name can be taken in a registry that was given
  const metrics = createMetrics({ health, drain, registry, version, clock, logger })
  const recorder = createRecorder(health, LIVE.recentRuns)

  const look = async (): Promise<AdminState> => {
    const [verdict, readiness] = await Promise.all([health.verdict(), health.readiness()])
    return renderState({
      ...{ wall: clock.wall(), verdict, readiness, snapshot: health.snapshot(), history: health.history },
      ...{ isHealingOn: health.selfHealing, phase: health.phase, inFlight: inFlight(), instance },
      ...{ recentOf: recorder.recentOf, isTrusted: keys.operator !== undefined },
    })
  }
  const watchers = createWatchers({ ...LIVE, health, look, clock, logger })
  const watch = (response: ServerResponse, role: Role): Reply | undefined => {
    if (watchers.size >= LIMITS.watchers) return REFUSALS.watchers(LIMITS.watchers)
    const stream = openEventStream(response, { retryMs: LIVE.everyMs, bufferedBytes: LIMITS.bufferedBytes })
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
  }

  const handler = createHandler({
    ...{ health, drain, watch, metrics, logger, page: renderPage(), bodyBytes: LIMITS.bodyBytes },
    ...{ allowedHosts: settings.allowedHosts, roleOf: createRoles(keys) },
  })
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.requestMs,
      keepAliveTimeout: LIMITS.idleMs,
      connectionsCheckingInterval: LIMITS.checkMs,
      // the gate says which, and refuses a request without one as every other
      requireHostHeader: false,
    },
    handler,
  )
  server.timeout = LIMITS.silentMs
  // Node would ask for every body before anybody has looked at the request
  server.on('checkContinue', handler)
  const connections = boundConnections(server, LIMITS.connections)

  const forget: (() => void)[] = [recorder.stop, metrics.close]
  const end = async (): Promise<void> => {
    for (const one of forget) one()
    const data = JSON.stringify({ status: 'draining', in_flight: inFlight() ?? 0 })
    watchers.end(isLeaving(settings) ? { event: 'draining', data } : undefined)
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    connections.closeIdle()
    const giveUp = clock.after(LIMITS.closeMs, connections.closeAll)
    await closed
    giveUp()
  }
  let ended: Promise<void> | undefined
  const close = (): Promise<void> => {
    ended ??= end()
    return ended
  }

  try {
    const mustBeLoopback = keys.operator === undefined
    const url = await listen(server, { host: settings.host, port: settings.port, mustBeLoopback })
    server.on('error', (error) => logger.error(`admin: ${tell(error)}`))
    forget.push(onLeaving(settings, () => void close()))
    return { url, close }
  } catch (error) {
    for (const one of forget) one()
    throw error
  }
}

/**
 * Starts the admin server; resolves when it listens. Rejects with a `HealthConfigError` that lists everything that is
 * wrong with options and variables, or with an error that names the port when it cannot listen. A drain that has begun
 * already leaves it out, unless it is to serve through it.
 */
export async function startAdmin(options: AdminOptions): Promise<AdminServer> {
  const settings = readAdminSettings(options)
  if (!settings.isEnabled || (settings.duringDrain === 'stop' && isLeaving(settings))) return NOWHERE
  return run(settings)
}
