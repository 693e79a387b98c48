import type { ConfigProblem } from '@baldur/health-core'
import { FLAGS } from './flags.ts'

const flagOf = (path: string): string | undefined => {
  const flag =
    FLAGS.find(({ option }) => option === path) ?? FLAGS.find(({ option }) => option === `drain.${path}`)
  return flag === undefined ? undefined : `--${flag.name}`
}

const seconds = (text: string): string => String(Number(text) / 1_000)

/** A text about options in milliseconds, in the words and the unit of the command line. */
function inSeconds(text: string): string {
  if (!text.includes('milliseconds')) return text
  return text
    .replace(/\b\d+(?:\.\d+)?\b/g, seconds)
    .replaceAll('milliseconds', 'seconds')
    .replace(/\b[a-z]+(?:[A-Z][a-z]*)*Ms\b/g, (name) => flagOf(`drain.${name}`) ?? flagOf(name) ?? name)
}

/** A problem with an option, as one with the flag that sets it. */
export function inFlagWords({ path, expected, got }: ConfigProblem): string {
  // the type is what an option has; a flag is always written
  const written = got.replace(/ \(string\)$/, '')
  return `${flagOf(path) ?? path}: expected ${inSeconds(expected)}, got ${inSeconds(written)}`
}
