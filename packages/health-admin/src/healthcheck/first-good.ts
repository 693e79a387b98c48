import type { Clock } from '@baldur/health-core'
import { bad, type Outcome } from './outcome.ts'

/** How long an address is asked alone: what a client waits before it tries the next (RFC 8305). */
const HEAD_START_MS = 250

interface Asking {
  readonly hosts: readonly string[]
  readonly timeoutMs: number
  ask(host: string, signal: AbortSignal): Promise<Outcome>
  readonly after: Clock['after']
}

/** What came of each address that was asked, by address. */
export type Outcomes = ReadonlyMap<string, Outcome>

/**
 * Asks one address after the other until one is good or the time is over. The next one is asked as soon as the one before
 * has failed, or while it still says nothing: a listener that never answers hides no other, and one that answers is asked once.
 */
export function firstGood({ hosts, timeoutMs, ask, after }: Asking): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome>()
  const waiting = [...hosts]
  const over = new AbortController()
  const headStartMs = Math.min(HEAD_START_MS, timeoutMs / (2 * hosts.length))
  return new Promise((resolve) => {
    const end = (): void => {
      for (const cancel of cancels) cancel()
      resolve(new Map(outcomes))
      over.abort()
    }
    const askNext = (): void => {
      const host = waiting.shift()
      if (host === undefined) return
      const isLate = after(headStartMs, askNext)
      cancels.push(isLate)
      void ask(host, over.signal).then((outcome) => {
        outcomes.set(host, outcome)
        const isAll = hosts.every((one) => outcomes.has(one))
        if (outcome.isGood || isAll) return end()
        isLate()
        askNext()
      })
    }
    const cancels = [
      after(timeoutMs, () => {
        for (const host of hosts) {
          if (!outcomes.has(host)) outcomes.set(host, bad(`gave no answer in ${timeoutMs / 1_000} s`))
        }
        end()
      }),
    ]
    askNext()
  })
}
