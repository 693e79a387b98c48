import type { Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import type { DrainClock } from '../clock.ts'
import type { Waits } from '../waits.ts'
import type { Hook } from './order-hooks.ts'

/**
 * Runs hooks one after the other, all of them before `endAt`: each has an equal share of what is left, or its own time if it
 * named one. One that fails or hangs is named, and the next one runs. Returns the names of those. Never rejects.
 */
export async function runHooks(
  hooks: readonly Hook[],
  endAt: () => number,
  { clock, waits, logger }: { readonly clock: DrainClock; readonly waits: Waits; readonly logger: Logger },
): Promise<readonly string[]> {
  const failed: string[] = []
  for (const [index, { name, run, timeoutMs }] of hooks.entries()) {
    const beganAt = clock.now()
    const overAt = (): number => {
      const leftMs = Math.max(0, endAt() - beganAt)
      return beganAt + Math.min(timeoutMs ?? leftMs / (hooks.length - index), leftMs)
    }
    const controller = new AbortController()
    const fail = (why: string): void => {
      failed.push(name)
      logger.error(`drain: shutdown hook ${name} ${why}`)
    }
    let isOver = false
    const ended = Promise.resolve()
      .then(() => run({ signal: controller.signal }))
      .catch((error: unknown) => {
        // one that fails after it was given up is named already
        if (!isOver) fail(`failed: ${formatError(error)}`)
      })
    const shareMs = (): number => Math.round(overAt() - beganAt)
    if (!(await waits.comesBefore(overAt, ended))) fail(`did not end in ${shareMs()} ms and is given up`)
    else if (clock.now() > overAt() + 1) {
      // it blocked the process, and took the time of those behind it
      logger.warn(
        `drain: shutdown hook ${name} took ${Math.round(clock.now() - beganAt)} ms of ${shareMs()} ms`,
      )
    }
    isOver = true
    controller.abort(new Error('the time of this hook is over'))
  }
  return failed
}
