import { isPlain, type Problems } from '@baldur/health-core/shared'

/** What Node runs itself. */
const SCRIPT = /\.[cm]?[jt]s$/
const ALLOWED = 'a program and its arguments, each a string without a NUL, the first not empty'

const isWord = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')

/** The program and its arguments; a single name of a script is run by `node`. */
export function readCommand(
  value: unknown,
  node: string,
  problems: Problems,
): readonly [string, ...string[]] {
  const words: unknown = typeof value === 'string' ? [value] : value
  if (!Array.isArray(words) || !words.every(isWord) || !words[0]) {
    problems.add('command', ALLOWED, value)
    return [node]
  }
  const [program = '', ...rest] = words
  return words.length === 1 && SCRIPT.test(program) ? [node, program] : [program, ...rest]
}

/** The variables that are given beside those of this process. */
export function readRunnerEnv(
  value: unknown,
  problems: Problems,
): Readonly<Record<string, string | undefined>> {
  if (value === undefined) return {}
  if (!isPlain(value)) {
    problems.add('runnerEnv', 'an object of strings', value)
    return {}
  }
  for (const [name, text] of Object.entries(value)) {
    const isSet = name === 'PORT' || name === 'HOST'
    if (isSet) problems.addText(`runnerEnv.${name}`, 'another name: each runner is given its own', 'it')
    // its value may be a secret
    else if (text !== undefined && !isWord(text)) {
      problems.addText(`runnerEnv.${name}`, 'a string without a NUL', `a value of type ${typeof text}`)
    }
  }
  return value as Readonly<Record<string, string | undefined>>
}
