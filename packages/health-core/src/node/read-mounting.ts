import { readPrefix } from '../options/mount.ts'
import { readObserve } from '../options/observe.ts'
import { hasFunctions, isPlain } from '../options/plain.ts'
import { createProblems } from '../options/problems.ts'
import { refuseUnknown } from '../options/unknown-keys.ts'

/** Throws a `HealthConfigError` unless it gets a server: a framework's app is an emitter too, but would never receive a request event. */
export function checkServer(server: unknown): void {
  const problems = createProblems()
  if (!hasFunctions(server, ['emit', 'on', 'listen', 'address'])) {
    problems.addText(
      'server',
      'a server of node:http, node:https or node:http2, such as app.listen() returns or app.server is',
      hasFunctions(server, ['listen']) ? 'an app' : 'something else',
    )
  }
  problems.throwIfAny()
}

/** Checks a health and its mount options, and returns the prefix for probe requests. Throws one `HealthConfigError` that lists every problem. */
export function readMounting(
  health: unknown,
  options: { readonly prefix?: string | undefined },
  known: readonly string[],
): { readonly prefix?: string } {
  const problems = createProblems()
  if (!hasFunctions(health, ['answer'])) {
    const isMiddleware = typeof health === 'function' && 'health' in health
    problems.addText(
      'health',
      'what createHealth returned',
      isMiddleware ? 'the middleware of an adapter; give its .health' : 'something else',
    )
  }
  if (isPlain(options)) refuseUnknown('', { ...options }, known, problems)
  else problems.add('options', 'an object', options)
  const given = isPlain(options) ? options.prefix : undefined
  const prefix = given === undefined ? undefined : readPrefix(given, problems)
  const next: unknown = (options as { next?: unknown } | null)?.next
  if (next !== undefined && typeof next !== 'function') problems.add('next', 'a function', next)
  const { observe } = (isPlain(options) ? options : {}) as { observe?: unknown }
  if (observe !== undefined && typeof observe !== 'boolean') readObserve(observe, problems)
  problems.throwIfAny()
  return prefix === undefined ? {} : { prefix }
}
