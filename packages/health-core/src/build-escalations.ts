import { createEscalations } from './engine/escalations.ts'
import type { Clock } from './machinery/clock.ts'
import { ESCALATION, NOTICE } from './options/defaults.ts'
import type { WatchdogSettings } from './options/watchdog.ts'
import { formatError } from './rules/problem.ts'
import type { Logger } from './vocabulary/logger.ts'
import type { WatchdogReport } from './vocabulary/watchdog.ts'
import type { Notifier } from './webhook/notifier.ts'

/** Receives every watchdog report and sends an escalation when a component stays bad. */
interface BuiltEscalations {
  see(report: WatchdogReport, now: number): void
  stop(): void
}

/** A webhook whose code, and `node:http` with it, is loaded on the first notice. */
function lazyWebhook(url: string, outside: { readonly clock: Clock; readonly logger: Logger }): Notifier {
  let opened: Promise<Notifier> | undefined
  let isStopped = false
  const open = async (): Promise<Notifier> => {
    const { openWebhook } = await import('./webhook/open-webhook.ts')
    return openWebhook(url, NOTICE, outside)
  }
  const use = (act: (notifier: Notifier) => void): void => {
    opened
      ?.then(act)
      .catch((error: unknown) => outside.logger.error(`the webhook failed: ${formatError(error)}`))
  }
  return {
    send: (escalation) => {
      opened ??= open()
      use((notifier) => (isStopped ? undefined : notifier.send(escalation)))
    },
    stop: () => {
      isStopped = true
      use((notifier) => notifier.stop())
    },
  }
}

/** Sends escalations to the webhook, to `onEscalate`, to both or to neither. */
export function buildEscalations(
  { onEscalate, webhookUrl }: WatchdogSettings,
  /** The service name sent with each escalation. */
  namespace: string | undefined,
  outside: { readonly clock: Clock; readonly logger: Logger },
): BuiltEscalations {
  const notifier = webhookUrl === undefined ? undefined : lazyWebhook(webhookUrl, outside)
  const failed = (error: unknown): void => outside.logger.error(`onEscalate failed: ${formatError(error)}`)
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
