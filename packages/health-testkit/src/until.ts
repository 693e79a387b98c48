import { setTimeout as sleep } from 'node:timers/promises'

export interface UntilOptions {
  /** Long enough for a busy machine. @default 15000 */
  timeoutMs?: number
  /** What was waited for, for the error. */
  message?: string
  /** @default 10 */
  everyMs?: number
}

type Falsy = false | 0 | '' | null | undefined

/** Asks again until the condition holds and gives its value; rejects after the timeout with the message and the last outcome. */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<T, Falsy>> {
  const { timeoutMs = 15_000, message = 'a condition', everyMs = 10 } = options
  const end = performance.now() + timeoutMs
  for (;;) {
    const outcome = await attempt(condition)
    if ('value' in outcome && outcome.value) return outcome.value as Exclude<T, Falsy>
    if (performance.now() >= end) {
      const last =
        'value' in outcome ? `it gave ${String(outcome.value)}` : `it threw ${String(outcome.error)}`
      throw new Error(`waited ${timeoutMs} ms for ${message}; at last ${last}`)
    }
    await sleep(everyMs)
  }
}

async function attempt<T>(condition: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await condition() }
  } catch (error) {
    return { error }
  }
}
