import { writeSync } from 'node:fs'
import type { Logger } from '../vocabulary/logger.ts'

const STDERR = 2

/** Writes one text; throws when it cannot. */
type Write = (text: string) => unknown

/**
 * Writes lines to standard error. Never throws, and never ends the process: a full disk or a reader that has left costs the line.
 * Lost lines are counted, and the next line that can be written reports their number.
 */
export function createStderrWriter(write: Write = (text) => writeSync(STDERR, text)): (line: string) => void {
  let lost = 0
  return (line) => {
    const before = lost === 0 ? '' : `baldur-health warning: ${lost} lines could not be written here\n`
    try {
      write(`${before}${line}\n`)
      lost = 0
    } catch {
      lost += 1
    }
  }
}

/** Writes a line to standard error, as the default logger does. The stream of `process.stderr` would emit an unhandled error after its second failure. */
export const writeStderr: (line: string) => void = createStderrWriter()

/** The default logger: warnings and errors go to standard error, nothing else is logged. */
export const stderrLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (line) => writeStderr(`baldur-health warning: ${line}`),
  error: (line) => writeStderr(`baldur-health error: ${line}`),
}
