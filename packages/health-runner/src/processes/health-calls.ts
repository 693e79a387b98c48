import { get } from 'node:http'
import type { Clock } from '@baldur/health-core'
import type { FleetSettings } from '../settings/settings.ts'
import { RUNNER_HOST } from './free-ports.ts'
import { messageOf } from './message-of.ts'

export interface HealthCallParts {
  readonly port: number
  readonly clock: Clock
  onGood(): void
  /** So many failures in a row, none of them within the grace; the count begins anew. */
  onFailing(detail: string): void
}

/** Asks the runner's endpoint once; resolves with what is wrong with the answer, or undefined. Rejects when it cannot even ask. */
function ask(
  { path, timeoutMs }: NonNullable<FleetSettings['healthCheck']>,
  { port, clock }: HealthCallParts,
  closed: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get({ host: RUNNER_HOST, port, path, agent: false, signal: closed }, (response) => {
      const { statusCode = 0 } = response
      response.on('error', (error) => end(error.message))
      response.once('end', () => end(statusCode < 400 ? undefined : `status ${statusCode}`))
      response.resume()
    })
    const cancel = clock.after(timeoutMs, () => end(`no answer within ${timeoutMs} ms`))
    const end = (fault: string | undefined): void => {
      cancel()
      resolve(fault)
      request.destroy()
    }
    request.on('error', (error) => end(error.message))
  })
}

/** Asks again and again, from now on until the returned function is called. */
export function startHealthCalls(
  settings: NonNullable<FleetSettings['healthCheck']>,
  parts: HealthCallParts,
): () => void {
  const { clock } = parts
  const readyAt = clock.now()
  const closed = new AbortController()
  let failures = 0
  let cancel = (): void => {}

  const judge = (fault: string | undefined): void => {
    if (fault === undefined) {
      failures = 0
      parts.onGood()
      return
    }
    if (clock.now() - readyAt < settings.graceMs) return
    failures += 1
    if (failures < settings.failures) return
    failures = 0
    parts.onFailing(`${settings.failures} health checks in a row failed, the last with: ${fault}`)
  }
  const call = async (): Promise<void> => {
    const fault = await ask(settings, parts, closed.signal).catch(messageOf)
    if (closed.signal.aborted) return
    judge(fault)
    if (!closed.signal.aborted) cancel = clock.after(settings.intervalMs, () => void call())
  }
  cancel = clock.after(settings.intervalMs, () => void call())
  return () => {
    cancel()
    closed.abort()
  }
}
