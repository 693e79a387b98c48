import { createHealth } from '@baldur/health-core'
import { formatError, systemClock } from '@baldur/health-core/internal'
import { attachHealth } from '@baldur/health-core/node'
import { createDrain, drainOnSignals } from '@baldur/health-drain'
import { createAnnouncer } from './child/announce.ts'
import { deferSignals } from './child/defer-signals.ts'
import { holdRequests } from './child/hold-requests.ts'
import { openProgram } from './child/program.ts'
import { readServeSettings } from './child/read-serve-settings.ts'
import type { ServedRunner, ServeRunnerOptions } from './child/serve-options.ts'
import { SERVE } from './settings/defaults.ts'

/**
 * Serves an app as a runner: tells its supervisor of the setup, listens, answers health endpoints, keeps requests from the
 * app until the setup has ended, says that it is ready, and drains on signals. Resolves then. Without a supervisor it
 * does the same. Rejects with a `HealthConfigError` that lists everything that is wrong with the options. What fails later
 * is told and ends the process with 1: a setup that throws, a port that is taken. What a failed setup has begun is its own to
 * undo: no teardown runs, and no teardown either for a setup that a signal has cut short.
 */
export async function serveRunner(options: ServeRunnerOptions): Promise<ServedRunner> {
  const settings = readServeSettings(options)
  const { prefix, host, port, logger, exit } = settings
  const { env } = options
  const health = settings.health ?? createHealth({ prefix, env, logger: options.logger })
  const program = openProgram(settings.program)
  // the last one to be put before the app is the first to see a request: drain, health, setup
  const letThrough = holdRequests(program.server)
  attachHealth(program.server, health, { prefix })
  const drain = createDrain({ ...settings.drain, server: program.server, health, logger, env })
  let isSetUp = false
  drain.onShutdown('teardown', () => (isSetUp ? settings.teardown() : undefined))
  if (settings.health === undefined) drain.onShutdown('health', () => health.close())
  drain.onShutdown('app', () => program.close(), { after: '*' })
  const ignoreSignals = drainOnSignals(drain, { exit })

  const announcer = createAnnouncer(settings.supervisor, { logger, clock: systemClock })
  let at = { url: `http://${host}:${port}`, port }
  const listen = async (): Promise<void> => {
    at = await program.listen({ host, port })
    // one that cannot accept for a while (no file handles are left) goes on when it can
    program.server.on('error', (error: unknown) => logger.error(`runner: ${formatError(error)}`))
  }
  // a supervisor that does not know of the setup takes an open port for a runner that is ready
  const isKnown = await announcer.setup()
  const begin = async (): Promise<void> => {
    if (isKnown) await listen()
    if (drain.signal.aborted) return
    try {
      await settings.setup({ server: program.server })
    } catch (error) {
      // what it says is told elsewhere; where it comes from is lost with this process
      if (exit && !drain.signal.aborted) logger.error(`runner: the setup: ${formatError(error)}`)
      throw error
    }
    isSetUp = true
    if (!isKnown) await listen()
  }
  try {
    if (!drain.signal.aborted) await health.setup(begin)
  } catch (error) {
    // one that is leaving anyway leaves with the code of its drain
    if (!drain.signal.aborted) {
      // the supervisor answers with SIGTERM, which is to cut nothing short here
      const letSignals = deferSignals()
      ignoreSignals()
      await announcer.failed(error)
      await drain.start('the start has failed', { withinMs: SERVE.failedMs })
      if (exit) process.exit(1)
      letSignals()
      throw error
    }
  }
  if (!drain.signal.aborted) {
    letThrough()
    await announcer.ready()
  }
  return {
    ...at,
    health,
    drain,
    close: async () => {
      ignoreSignals()
      await drain.start('close was called')
    },
  }
}
