/** The options as they were given, none of them judged. */
export interface Options {
  readonly help: boolean
  readonly port?: string
  readonly path?: string
  readonly timeout?: string
  readonly url?: string
}

const VALUED = ['port', 'path', 'timeout'] as const
type Valued = (typeof VALUED)[number]
const isValued = (name: string): name is Valued => (VALUED as readonly string[]).includes(name)

/** Names what is plainly a name: behind a short option, as in `-uadmin:…`, or behind = a secret may stand. */
function unknown(arg: string): string {
  const [, name] = /^(--[a-z][a-z-]{0,19})(?:=|$)/.exec(arg) ?? []
  return `${name === undefined ? 'an unknown option' : `unknown option "${name}"`}; try --help`
}

/** Reads `--name value`, `--name=value` and one URL; gives what is wrong instead, in words. */
export function readOptions(args: readonly string[]): Options | string {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { help: true }
  const found: { -readonly [Name in Valued | 'url']?: string } = {}
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = '', inline] = /^--?([^=]*)(?:=(.*))?$/s.exec(arg) ?? ['', 'url', arg]
    const isUrl = !arg.startsWith('-')
    if (!isUrl && !(arg.startsWith('--') && isValued(name))) return unknown(arg)
    const key = isUrl ? 'url' : (name as Valued)
    const value = inline ?? rest.shift()
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('-')))
      return isUrl ? 'the URL is empty' : `--${key}: expected a value`
    if (found[key] !== undefined) return isUrl ? 'expected one URL' : `--${key}: given twice`
    found[key] = value
  }
  return { help: false, ...found }
}
