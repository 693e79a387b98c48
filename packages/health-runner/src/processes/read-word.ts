import type { RunnerWord } from '../control/protocol.ts'
import { FIXED } from '../settings/defaults.ts'

const WORDS: readonly unknown[] = ['setup', 'ready', 'failed']

/** One line of what may be a whole stack: the rest is for the runner's own log. */
function readError(error: unknown): string {
  const lines = typeof error === 'string' ? error.split('\n') : []
  const line = lines.find((one) => one.trim() !== '')?.trim() ?? 'it did not say why'
  return line.length > FIXED.errorChars ? `${line.slice(0, FIXED.errorChars - 1)}…` : line
}

/** What a line says; undefined when it is none of ours. */
export function readWord(line: string): RunnerWord | undefined {
  let word: unknown
  try {
    word = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof word !== 'object' || word === null) return undefined
  const { name, say, error } = word as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || !WORDS.includes(say)) return undefined
  if (say !== 'failed') return { name, say: say as 'setup' | 'ready' }
  return { name, say, error: readError(error) }
}
