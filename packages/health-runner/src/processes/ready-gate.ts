import type { Clock } from '@baldur/health-core'
import type { RunnerWord } from '../control/protocol.ts'
import { isReady, type StartWord } from '../rules/is-ready.ts'
import { FIXED } from '../settings/defaults.ts'
import type { EndReason } from '../vocabulary/runner-state.ts'
import { tryPort } from './try-port.ts'

export interface GateParts {
  readonly port: number
  readonly startTimeoutMs: number
  readonly clock: Clock
  /** Whether the port, which is open, is another program's. */
  isForeign(): Promise<boolean>
  onSetup(): void
  /** Once, and nothing after it. */
  onReady(): void
  /** Once, and nothing after it. */
  onFailed(reason: Extract<EndReason, 'setup_failed' | 'start_timed_out'>, detail: string): void
}

/** Stands between a process that starts and its first request. */
export interface ReadyGate {
  hear(word: RunnerWord): void
  close(): void
}

export function openGate(parts: GateParts): ReadyGate {
  const { port, startTimeoutMs, clock } = parts
  let said: StartWord
  let isClosed = false
  let isForeign = false
  /** Seen by the look before this one: a program's first word may be under way when its port opens. */
  let wasOpen = false
  let cancelLook = (): void => {}

  const close = (): void => {
    isClosed = true
    cancelLook()
    cancelTimeout()
  }
  const cancelTimeout = clock.after(startTimeoutMs, () => {
    const missing =
      said === 'setup'
        ? 'its setup had not ended'
        : isForeign
          ? `its port ${port} was opened by a program that is none of its own`
          : `its port ${port} had not opened`
    close()
    parts.onFailed('start_timed_out', `${missing} after ${startTimeoutMs} ms`)
  })
  const look = async (): Promise<void> => {
    const isOpen = said !== 'setup' && (await tryPort(port, clock))
    if (isClosed) return
    const isSure = isOpen && (said === 'ready' || wasOpen)
    wasOpen = isOpen
    if (isSure) {
      // what says itself that it listens is believed
      isForeign = said !== 'ready' && (await parts.isForeign())
      if (isClosed) return
      if (!isForeign && isReady(said, isOpen)) {
        close()
        parts.onReady()
        return
      }
    }
    cancelLook = clock.after(FIXED.portPollMs, () => void look())
  }
  cancelLook = clock.after(FIXED.portPollMs, () => void look())

  return {
    hear: (word) => {
      if (isClosed) return
      if (word.say === 'failed') {
        close()
        parts.onFailed('setup_failed', word.error)
      } else if (said !== 'ready') {
        said = word.say
        if (said === 'setup') parts.onSetup()
      }
    },
    close,
  }
}
