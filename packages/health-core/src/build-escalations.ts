import { createEscalations } from './engine/escalations.ts'
import { createNotifier, type Notifier } from './engine/notifier.ts'
import type { Clock } from './machinery/clock.ts'
import { ESCALATION, NOTICE } from './options/defaults.ts'
import type { WatchdogSettings } from './options/watchdog.ts'
import { tell } from './rules/problem.ts'
import type { Logger } from './vocabulary/logger.ts'
import type { WatchdogReport } from './vocabulary/watchdog.ts'

/** Hears every report, and tells somebody when a component stays bad. */
interface BuiltEscalations {
  see(report: WatchdogReport, now: number): void
  stop(): void
}

function notifierOf(
  webhookUrl: string,
  outside: { readonly clock: Clock; readonly logger: Logger },
): Notifier {
  // HTTP is loaded by those who use it
  const post = async (notice: object, signal: AbortSignal): Promise<number> => {
    const { postNotice } = await import('./webhook/post-notice.ts')
    return postNotice(webhookUrl, notice, signal)
  }
  return createNotifier({ origin: new URL(webhookUrl).origin, post }, NOTICE, outside)
}

/** Whoever is told: the webhook, the function given, both or nobody. */
export function buildEscalations(
  { onEscalate, webhookUrl, namespace }: WatchdogSettings,
  outside: { readonly clock: Clock; readonly logger: Logger },
): BuiltEscalations {
  const notifier = webhookUrl === undefined ? undefined : notifierOf(webhookUrl, outside)
  const failed = (error: unknown): void => outside.logger.error(`onEscalate failed: ${tell(error)}`)
  const see = createEscalations(ESCALATION, (found) => {
    const escalation = namespace === undefined ? found : { ...found, namespace }
    notifier?.send(escalation)
    try {
      // an async one's rejection must not become an unhandled one
      Promise.resolve(onEscalate?.(escalation)).catch(failed)
    } catch (error) {
      failed(error)
    }
  })
  return { see, stop: () => notifier?.stop() }
}
