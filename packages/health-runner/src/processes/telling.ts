import type { Logger } from '@baldur/health-core'
import { messageOf } from './message-of.ts'

/** Those who want to hear of something. One that throws breaks nothing. */
export interface Telling<T> {
  /** Returns what takes it off. */
  add(listener: (value: T) => void): () => void
  tell(value: T): void
}

export function createTelling<T>(name: string, logger: Logger): Telling<T> {
  // each in a wrapper of its own: the same one may be added twice
  const listeners = new Set<{ readonly hear: (value: T) => void }>()
  return {
    add: (hear) => {
      const entry = { hear }
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    tell: (value) => {
      for (const { hear } of [...listeners]) {
        try {
          hear(value)
        } catch (error) {
          logger.error(`runner: a listener of ${name} threw: ${messageOf(error)}`)
        }
      }
    },
  }
}
