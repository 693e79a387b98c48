import type { RunnerWord } from '../control/protocol.ts'

const WORDS: readonly unknown[] = ['setup', 'ready', 'failed']

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
  return { name, say, error: typeof error === 'string' ? error : 'it did not say why' }
}
