import type { Logger } from '@baldur/health-core'
import type { Drain } from '@baldur/health-drain'
import type { Gateway } from './gateway/create-gateway.ts'
import type { OwnFleet } from './processes/create-fleet.ts'
import type { Queue } from './queue/create-queue.ts'
import { unfetchedText, unfinishedText } from './unfinished-text.ts'

interface Parts {
  readonly fleet: Pick<OwnFleet, 'stop'>
  readonly queue: Pick<Queue, 'stopAccepting' | 'idle' | 'unfinished' | 'counts' | 'close'>
  readonly gateway: Pick<Gateway, 'close'>
  /** What the queue holds outlives this process. */
  readonly isDurable: boolean
  readonly logger: Logger
}

/** Ties the parts to a drain: the queue takes nothing more and comes to its end beside the requests, then its rest is named, then the runners end. */
export function leaveInOrder(drain: Drain, { fleet, queue, gateway, isDurable, logger }: Parts): void {
  drain.signal.addEventListener('abort', () => {
    queue.stopAccepting()
    void drain.track(queue.idle(), 'the queue')
  })
  drain.onShutdown('queue', async () => {
    gateway.close()
    const left = await queue.unfinished()
    const unfetched = isDurable ? 0 : (await queue.counts()).unfetched
    if (left.length > 0) logger.error(unfinishedText(left, { isKept: isDurable, unfetched }))
    else if (unfetched > 0) logger.warn(unfetchedText(unfetched))
    await queue.close()
  })
  drain.onShutdown('runners', () => fleet.stop(), { after: 'queue' })
}
