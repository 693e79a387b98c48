import type { Logger } from '../vocabulary/logger.ts'

/** The one place to report to is the one that broke. */
const lost = (): void => undefined

/** A logger that throws or rejects must not break an answer; there is nowhere left to tell of it. */
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
