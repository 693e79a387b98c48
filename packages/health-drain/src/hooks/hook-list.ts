import type { Logger } from '@baldur/health-core'
import type { DrainClock } from '../clock.ts'
import type { Waits } from '../waits.ts'
import { type Hook, orderHooks } from './order-hooks.ts'
import { runHooks } from './run-hooks.ts'

/** The hooks of one drain. */
export interface HookList {
  has(name: string): boolean
  /** Returns what takes it off again. */
  add(hook: Hook): () => void
  /** Runs all in their order, also those that hooks add. Returns the names of those that failed or hung. Never rejects. */
  run(endAt: () => number): Promise<readonly string[]>
}

export function createHookList(parts: {
  readonly clock: DrainClock
  readonly waits: Waits
  readonly logger: Logger
}): HookList {
  let hooks: readonly Hook[] = []
  return {
    has: (name) => hooks.some((hook) => hook.name === name),
    add: (hook) => {
      hooks = [...hooks, hook]
      return () => {
        hooks = hooks.filter((one) => one !== hook)
      }
    },
    run: async (endAt) => {
      const done = new Set<Hook>()
      const failed: string[] = []
      for (;;) {
        const waiting = hooks.filter((hook) => !done.has(hook))
        if (waiting.length === 0) return failed
        for (const hook of waiting) done.add(hook)
        const { order, circular } = orderHooks(waiting)
        if (circular.length > 0)
          parts.logger.warn(`drain: shutdown hooks wait for each other: ${circular.join(', ')}`)
        failed.push(...(await runHooks(order, endAt, parts)))
      }
    },
  }
}
