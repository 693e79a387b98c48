import type { Clock, Logger } from '@baldur/health-core'
import { FIXED } from '../settings/defaults.ts'

/** Says that requests are refused: the first one at once, then how many more there were, a line a minute while there are any. */
export function createRefusalLog({
  logger,
  clock,
}: {
  readonly logger: Pick<Logger, 'warn'>
  readonly clock: Pick<Clock, 'after'>
}): (why: string) => void {
  let more: Map<string, number> | undefined
  const wait = (): void => {
    more = new Map()
    clock.after(FIXED.refusalLogMs, () => {
      const counts = [...(more ?? [])].map(([why, count]) => `${count} more: ${why}`)
      more = undefined
      if (counts.length === 0) return
      logger.warn(
        `gateway: requests were refused within ${FIXED.refusalLogMs / 1_000} s, ${counts.join('; ')}`,
      )
      wait()
    })
  }
  return (why) => {
    if (more !== undefined) {
      more.set(why, (more.get(why) ?? 0) + 1)
      return
    }
    logger.warn(`gateway: a request was refused: ${why}`)
    wait()
  }
}
