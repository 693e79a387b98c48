import { get } from 'node:http'
import type { Clock } from '@baldur/health-core'
import { isOurOwnLack } from '../rules/classify-break.ts'
import type { FleetSettings } from '../settings/settings.ts'
import { RUNNER_HOST } from './free-ports.ts'
import { messageOf } from './message-of.ts'

export interface HealthCallParts {
  readonly port: number
  readonly clock: Clock
  onGood(): void
  /** So many failures in a row, none of them within the grace; the count begins anew. */
  onFailing(detail: string): void
  /** It could not be asked, for what this process lacks: nothing is known of the runner. */
  onUnasked(detail: string): void
}

/** What a call has shown. */
type Outcome = { readonly kind: 'good' } | { readonly kind: 'failed' | 'unasked'; readonly detail: string }

/** Asks the runner's endpoint once. Rejects when the request cannot even be made. */
function ask(
  { path, timeoutMs }: NonNullable<FleetSettings['healthCheck']>,
  { port, clock }: HealthCallParts,
  closed: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = get({ host: RUNNER_HOST, port, path, agent: false, signal: closed }, (response) => {
      const { statusCode = 0 } = response
      response.on('error', (error) => fail(error.message))
      response.once('end', () => (statusCode < 400 ? end({ kind: 'good' }) : fail(`status ${statusCode}`)))
      response.resume()
    })
    const cancel = clock.after(timeoutMs, () => fail(`no answer within ${timeoutMs} ms`))
    const end = (outcome: Outcome): void => {
      cancel()
      resolve(outcome)
      request.destroy()
    }
    const fail = (detail: string): void => end({ kind: 'failed', detail })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isOurOwnLack(error)) end({ kind: 'unasked', detail: error.message })
      else fail(error.message)
    })
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

  const judge = (outcome: Outcome): void => {
    if (outcome.kind === 'unasked') {
      parts.onUnasked(outcome.detail)
      return
    }
    if (outcome.kind === 'good') {
      failures = 0
      parts.onGood()
      return
    }
    if (clock.now() - readyAt < settings.graceMs) return
    failures += 1
    if (failures < settings.failures) return
    failures = 0
    parts.onFailing(`${settings.failures} health checks in a row failed, the last with: ${outcome.detail}`)
  }
  const call = async (): Promise<void> => {
    const outcome = await ask(settings, parts, closed.signal).catch(
      (error: unknown): Outcome => ({ kind: 'failed', detail: messageOf(error) }),
    )
    if (closed.signal.aborted) return
    judge(outcome)
    if (!closed.signal.aborted) cancel = clock.after(settings.intervalMs, () => void call())
  }
  cancel = clock.after(settings.intervalMs, () => void call())
  return () => {
    cancel()
    closed.abort()
  }
}
