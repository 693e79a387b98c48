import type { Logger } from '../vocabulary/logger.ts'

/** The logger itself failed, so there is nowhere to report it. */
const lost = (): void => undefined

/** Wraps a logger so that one that throws or rejects cannot break an answer. */
export function quietLogger(logger: Logger): Logger {
  const quiet =
    (level: keyof Logger) =>
    (line: string): void => {
      try {
        const written: unknown = logger[level](line)
        if (written instanceof Promise) written.catch(lost)
      } catch {
        lost()
      }
    }
  return { debug: quiet('debug'), info: quiet('info'), warn: quiet('warn'), error: quiet('error') }
}
