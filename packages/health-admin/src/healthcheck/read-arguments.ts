import { readBind } from './read-bind.ts'
import { readOptions } from './read-options.ts'
import { readUrl, URL_EXPECTED } from './read-url.ts'
import type { Target } from './target.ts'

/** What the command line and the environment ask for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'ask'; readonly target: Target; readonly timeoutMs: number }

/** Answered in milliseconds by a process that is alive; a loop that is late by 2 s still passes, and every platform's usual interval is longer. */
export const TIMEOUT_S = 3
const ADMIN_PORT = 9090
/** Open to whoever reaches the admin server, and it runs no check. */
const LIVENESS = '/liveness'

type Environment = Readonly<Record<string, string | undefined>>

const refused = (why: string): Command => ({ kind: 'refused', why })

/** Reads them all; never throws. What it refuses it does not repeat where that may be a secret. */
export function readArguments(args: readonly string[], env: Environment): Command {
  const options = readOptions(args)
  if (typeof options === 'string') return refused(options)
  if (options.help) return { kind: 'help' }
  const { timeout = String(TIMEOUT_S), url, port, path } = options
  const seconds = /^\d+(?:\.\d+)?$/.test(timeout) ? Number(timeout) : Number.NaN
  if (!(seconds >= 0.1 && seconds <= 300)) return refused('--timeout: expected 0.1 to 300 seconds')
  const ask = (target: Target): Command => ({ kind: 'ask', target, timeoutMs: seconds * 1_000 })
  if (url === undefined) {
    const target = adminTarget(port, path, env)
    return typeof target === 'string' ? refused(target) : ask(target)
  }
  if (port !== undefined || path !== undefined) return refused('give a URL, or --port and --path, not both')
  const target = readUrl(url)
  return target === undefined ? refused(URL_EXPECTED) : ask(target)
}

const PORT = 'expected a port from 1 to 65535'

/** An empty variable counts as absent, and one that begins with tcp:// is a Kubernetes service link. */
const variable = (value: string | undefined): string | undefined =>
  value === '' || value?.startsWith('tcp://') ? undefined : value

function adminTarget(port: string | undefined, path: string = LIVENESS, env: Environment): Target | string {
  const set = variable(env.BALDUR_ADMIN_PORT)
  const [source, text] =
    port === undefined ? ['BALDUR_ADMIN_PORT', set ?? String(ADMIN_PORT)] : ['--port', port]
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) return `${source}: ${PORT}`
  if (Number(text) === 0) {
    if (port !== undefined) return `${source}: ${PORT}`
    return `${source}: 0 picks a port that nobody else knows; give --port`
  }
  if (!/^\/[!"$-~]*$/.test(path)) return '--path: expected a path such as /readiness, percent-encoded'
  const bound = readBind(variable(env.BALDUR_ADMIN_BIND))
  if (bound === undefined) return 'BALDUR_ADMIN_BIND: expected an address or a name, without a port'
  const { hosts, host, name } = bound
  return {
    isTls: false,
    hosts,
    port: Number(text),
    path,
    authority: `${host}:${Number(text)}`,
    name: host,
    shown: `http://${name}:${Number(text)}${path.replace(/\?.*$/, '')}`,
  }
}
