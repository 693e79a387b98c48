import type { RunnersOptions } from './options.ts'
import type { Runners } from './runners.ts'
import { readRunnersSettings } from './settings/read-settings.ts'

/**
 * Starts runners behind a gateway and a queue. Resolves when the gateway listens; the runners become ready in their own time.
 * Rejects with a `HealthConfigError` that lists every wrong option, or with the listener's error, and then nothing is left running.
 */
export async function startRunners(options: RunnersOptions): Promise<Runners> {
  const settings = readRunnersSettings(options)
  // a runner imports this package for its own side: what it does not need is not loaded there
  const { buildRunners } = await import('./build-runners.ts')
  return buildRunners(settings)
}
