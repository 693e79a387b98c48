import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isPlain, type Problems } from '@baldur/health-core/internal'

/** What Node runs itself. */
const SCRIPT = /\.[cm]?[jt]s$/
const ALLOWED = 'a program and its arguments, each a string without a NUL, the first not empty'

/** What is there; undefined for nothing, and for what may not be looked at. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

const isWord = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')

export interface CommandPlace {
  /** Where it runs; undefined where that is wrong itself. */
  readonly cwd: string | undefined
  /** Its variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether this Node runs TypeScript as it is. */
  readonly runsTypeScript: boolean
}

/** A script for this Node that cannot work is known before it is started again and again. */
function checkScript(script: string, { cwd, env, runsTypeScript }: CommandPlace, problems: Problems): void {
  if (cwd === undefined) return
  const path = resolve(cwd, script)
  if (kindOf(path) !== 'file') problems.add('command', `a script that exists (${path} does not)`, script)
  // whoever has something loaded into every Node may well load what runs it
  else if (/ts$/.test(script) && !runsTypeScript && !env.NODE_OPTIONS) {
    const news = `${process.version} runs no TypeScript (22.18 and 23.6 do, and later ones)`
    problems.add(
      'command',
      `a script that this Node runs: ${news}; build it, or name a program that does`,
      script,
    )
  }
}

/** The program and its arguments; a single name of a script is run by this Node. A script is looked for where it will be: in `cwd`. */
export function readCommand(
  value: unknown,
  place: CommandPlace,
  problems: Problems,
): readonly [string, ...string[]] {
  const node = process.execPath
  const given: unknown = typeof value === 'string' ? [value] : value
  if (!Array.isArray(given) || !given.every(isWord) || !given[0]) {
    problems.add('command', ALLOWED, value)
    return [node]
  }
  const words = given.length === 1 && SCRIPT.test(given[0]) ? [node, given[0]] : given
  const [program = '', ...rest] = words
  if (program === node && SCRIPT.test(rest[0] ?? '')) checkScript(rest[0] ?? '', place, problems)
  return [program, ...rest]
}

/** The folder in which the program runs, named from this process's own. Undefined where there is none. */
export function readCwd(value: unknown, problems: Problems): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value === '')) {
    problems.add('cwd', 'the path of a folder', value)
    return undefined
  }
  try {
    const folder = resolve(value ?? process.cwd())
    if (kindOf(folder) === 'folder') return folder
    problems.add('cwd', 'a folder that exists', value ?? folder)
  } catch {
    // a process may outlive the folder that it is in
    problems.addText('cwd', 'a folder that exists', 'that of this process, which is gone')
  }
  return undefined
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
