import type { Logger } from '../vocabulary/logger.ts'

/** The default: warnings and errors to standard error, the rest nowhere. */
export const stderrLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (line) => console.warn(`baldur-health warning: ${line}`),
  error: (line) => console.error(`baldur-health error: ${line}`),
}
