import { Readable } from 'node:stream'

/** How far a request's body has gone. */
export interface WatchedBody {
  /** Whether anything of it was taken: the head goes out with the first piece. */
  readonly hasBegun: boolean
  /** All of it was. */
  readonly isSent: boolean
  /** The runner is waited for: all of it was sent, or what was sent is not being read. */
  readonly isRunnersTurn: boolean
  /** It ended before its end. */
  readonly isBroken: boolean
  stop(): void
}

/** Watches a body on its way; undefined where it is there already. `onChange` is told when it is another's turn. */
export function watchBody(
  body: Readable | Buffer | undefined,
  onChange: () => void,
): WatchedBody | undefined {
  if (!(body instanceof Readable)) return undefined
  let hasBegun = false
  let isSent = false
  let isHeld = false
  const onData = (): void => {
    hasBegun = true
  }
  const onEnd = (): void => {
    hasBegun = true
    isSent = true
    onChange()
  }
  const onPause = (): void => {
    isHeld = true
    onChange()
  }
  const onResume = (): void => {
    isHeld = false
    onChange()
  }
  // unlike `on`, this does not make it flow
  body.prependListener('data', onData)
  // it is paused by whoever writes it when what was written is not taken
  body.on('end', onEnd).on('pause', onPause).on('resume', onResume)
  return {
    get hasBegun() {
      return hasBegun
    },
    get isSent() {
      return isSent
    },
    get isRunnersTurn() {
      return isSent || isHeld
    },
    get isBroken() {
      return body.destroyed && !body.readableEnded
    },
    stop: () => {
      body.off('data', onData).off('end', onEnd).off('pause', onPause).off('resume', onResume)
    },
  }
}
