import type { Logger } from '../vocabulary/logger.ts'

/** A logger that throws must not break an answer; there is nowhere left to tell of it. */
export function quietLogger(logger: Logger): Logger {
  const quiet =
    (level: keyof Logger) =>
    (line: string): void => {
      try {
        logger[level](line)
      } catch {
        // the one place to report to is the one that broke
      }
    }
  return { debug: quiet('debug'), info: quiet('info'), warn: quiet('warn'), error: quiet('error') }
}
