import { hostname } from 'node:os'
import { formatError } from '@baldur/health-core/internal'
import { buildLive } from './build-live.ts'
import type { InstanceState } from './live/state.ts'
import { createMetrics } from './metrics/create-metrics.ts'
import { isLeaving, onLeaving } from './on-leaving.ts'
import type { AdminOptions, AdminServer } from './options.ts'
import { renderPage } from './page/render-page.ts'
import { createRoles } from './rules/role.ts'
import { createBoundedServer } from './server/bounded-server.ts'
import { createHandler } from './server/create-handler.ts'
import { listen } from './server/listen.ts'
import { LIMITS } from './settings/defaults.ts'
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
  const { health, drain, prefix, host, port, keys, allowedHosts, registry, version, clock, logger } = settings
  // first what may refuse: a name can be taken in a registry that was given
  const metrics = createMetrics({ health, drain, registry, version, clock, logger })
  const live = buildLive(settings, instanceOf(settings))
  const { body, headers } = renderPage()
  const page = { headers, body: Buffer.from(body) }
  const handler = createHandler({
    ...{ health, drain, prefix, metrics, logger, page, allowedHosts },
    ...{ watch: live.watch, roleOf: createRoles(keys), bodyBytes: LIMITS.bodyBytes },
  })
  const { server, end } = createBoundedServer(handler, LIMITS, clock)
  let forget = (): void => undefined
  const stop = (): void => {
    forget()
    metrics.close()
    live.end(isLeaving(settings))
  }
  let ended: Promise<void> | undefined
  const close = (): Promise<void> => {
    if (ended === undefined) {
      stop()
      ended = end()
    }
    return ended
  }
  try {
    const url = await listen(server, { host, port, mustBeLoopback: keys.operator === undefined })
    server.on('error', (error) => logger.error(`admin: ${formatError(error)}`))
    forget = onLeaving(settings, () => void close())
    return { url, close }
  } catch (error) {
    stop()
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
