import type { ConfigProblem } from '@baldur/health-core'
import { HealthConfigError } from '@baldur/health-core'
import { createProblems, nearest } from '@baldur/health-core/internal'
import type { RunnersOptions } from '../options.ts'
import { drainProblems } from '../settings/drain-problems.ts'
import { inFlagWords } from './flag-words.ts'
import { allowedBy, FLAGS, SWITCHES } from './flags.ts'
import { readValue } from './read-value.ts'

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  /** Each line says what is wrong with one thing. */
  | { readonly kind: 'refused'; readonly lines: readonly string[] }
  | { readonly kind: 'start'; readonly options: RunnersOptions; readonly isVerbose: boolean }

type Tree = { [key: string]: unknown }

const NAMES = [...FLAGS.map(({ name }) => name), ...Object.keys(SWITCHES)]
const A_PROGRAM = 'expected a program: start app.js, or start -- program arguments'
const SCRIPT = /\.[cm]?[jt]s$/

function set(tree: Tree, path: string, value: unknown): void {
  const [first = '', rest] = path.split('.')
  if (rest === undefined) tree[first] = value
  else tree[first] = { ...(tree[first] as Tree | undefined), [rest]: value }
}

/** What is written of a value, secrets masked. */
function refusalOf(path: string, expected: string, text: string): string {
  const problems = createProblems()
  problems.add(path, expected, text)
  try {
    problems.throwIfAny()
  } catch (error) {
    if (error instanceof HealthConfigError) return error.problems.map(inFlagWords).join()
  }
  return `${path}: expected ${expected}`
}

function unknown(arg: string): string {
  // behind = may be a secret
  const [name = ''] = arg.split('=', 1)
  const meant = nearest(name.replace(/^-+/, ''), NAMES)
  return `${name}: an unknown flag${meant === undefined ? '' : ` (did you mean --${meant}?)`}; --help lists them`
}

/** A script that has arguments needs its Node named. */
const commandOf = (words: readonly string[]): readonly string[] =>
  words.length > 1 && SCRIPT.test(words[0] ?? '') ? [process.execPath, ...words] : words

/** Reads the arguments behind the command's own name; never throws. `env` is looked at for what is wrong with variables. */
export function parseFlags(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Command {
  const end = argv.indexOf('--')
  const ours = end < 0 ? argv : argv.slice(0, end)
  if (ours.some((arg) => arg === '--help' || arg === '-h') || (ours[0] === 'help' && ours.length === 1))
    return { kind: 'help' }
  if (ours.some((arg) => arg === '--version' || arg === '-v')) return { kind: 'version' }
  const [verb, ...rest] = ours
  if (verb !== 'start') return { kind: 'refused', lines: [noCommand(verb)] }

  const lines: string[] = []
  const options: Tree = {}
  const given = new Set<string>()
  const programs: string[] = []
  let isVerbose = false
  let hasUnknown = false
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-') || arg === '-') {
      programs.push(arg)
      continue
    }
    const [, name = '', inline] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? []
    if (name === 'verbose' && inline === undefined) {
      isVerbose = true
      continue
    }
    const flag = FLAGS.find((one) => one.name === name)
    const hasValue = rest[0] !== undefined && !rest[0].startsWith('--')
    const value = inline ?? (hasValue ? rest.shift() : undefined)
    if (flag === undefined) {
      hasUnknown = true
      lines.push(unknown(arg))
    } else if (given.has(name)) lines.push(`--${name}: given twice`)
    else if (value === undefined) lines.push(`--${name}: expected ${allowedBy(flag)}, got nothing`)
    else {
      const read = readValue(flag, value)
      if (read === undefined) lines.push(refusalOf(flag.option, allowedBy(flag), value))
      else set(options, flag.option, read)
    }
    given.add(name)
  }

  const behind = end < 0 ? [] : argv.slice(end + 1)
  const words = [...programs, ...behind]
  // what stands behind a flag that nobody knows may have been the program
  if ((words.length === 0 || words[0] === '') && !hasUnknown) lines.push(A_PROGRAM)
  if (programs.length > 1 && !hasUnknown)
    lines.push(`${programs[1]}: expected one program; its arguments go behind --`)
  const checks = [...given].filter(
    (name) => name.startsWith('health-') && FLAGS.some((flag) => flag.name === name),
  )
  if (checks.length > 0 && !given.has('health-path'))
    lines.push(...checks.map((name) => `--${name}: expected --health-path beside it`))
  lines.push(
    ...drainProblems({ ...(options.drain as object), env })
      .map(ofTheDrain)
      .map(inFlagWords),
  )
  if (lines.length > 0) return { kind: 'refused', lines }
  return { kind: 'start', isVerbose, options: { ...options, command: commandOf(words) } }
}

const ofTheDrain = (problem: ConfigProblem): ConfigProblem =>
  problem.path.startsWith('BALDUR_') ? problem : { ...problem, path: `drain.${problem.path}` }

function noCommand(verb: string | undefined): string {
  if (verb === undefined) return A_PROGRAM
  if (verb.startsWith('-')) return 'expected the word start first; --help shows how'
  const isNear = nearest(verb, ['start']) !== undefined
  return `${verb}: no command${isNear ? ' (did you mean start?)' : ''}; --help shows how`
}
