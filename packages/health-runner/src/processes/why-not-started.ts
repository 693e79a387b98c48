import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from './message-of.ts'

/** What is missing where a process could not be started: the system's own error accuses the program, whatever it was. */
export function whyNotStarted(error: unknown, program: string, cwd: string): string {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return messageOf(error)
  if (!existsSync(cwd)) return `the folder ${cwd} is not there`
  if (!program.includes('/')) return `the program ${program} was not found on the PATH`
  return existsSync(resolve(cwd, program))
    ? `what the first line of ${program} names was not found`
    : `the program ${program} was not found`
}
