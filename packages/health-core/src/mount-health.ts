import { buildHealth } from './create-health.ts'
import type { Health } from './health.ts'
import { MAKERS } from './makers.ts'
import { OPTION_NAMES } from './options/groups.ts'
import type { HealthOptions } from './options/input.ts'
import { readPrefix } from './options/mount.ts'
import { readObserve } from './options/observe.ts'
import { isPlain } from './options/plain.ts'
import { createProblems, type Problems } from './options/problems.ts'
import { readSettings } from './options/settings.ts'
import { refuseUnknown } from './options/unknown-keys.ts'
import type { ObserveOptions, ObserveResponse } from './vocabulary/observe.ts'

/** Options of every adapter: an existing health, or the options of a new one. */
export interface MountOptions extends HealthOptions {
  /** A health from `createHealth`. The other options of `createHealth`, except `prefix`, are then refused here. @default a new health */
  readonly health?: Health | undefined
  /**
   * Judges the app by its own responses: after `fall` 503 responses in a row the check `responses` reads `not_ready` for `holdMs`;
   * a 504 degrades the verdict for the same time. Probes and a drain do not count. @default false
   */
  readonly observe?: boolean | ObserveOptions | undefined
}

/** A health with its mount prefix. */
export interface MountedHealth {
  readonly health: Health
  readonly prefix: string
  /** True for a health created by `mountHealth`; the adapter then closes it. */
  readonly isOwn: boolean
  /** The function to call for every response of the app; undefined without the `observe` option. */
  readonly observe: ObserveResponse | undefined
}

/** Adds a problem for each option that must not stand beside an existing health. */
function checkBeside(rest: HealthOptions, known: readonly string[], problems: Problems): void {
  const { prefix: _prefix, ...others } = rest
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  const isOfHealth = ([key]: readonly [string, unknown]): boolean => OPTION_NAMES.includes(key)
  for (const [key] of given.filter(isOfHealth)) {
    problems.addText(key, 'to be given to createHealth', 'an option beside a health that exists')
  }
  refuseUnknown('', Object.fromEntries(given.filter((entry) => !isOfHealth(entry))), known, problems)
}

/**
 * Uses the given health or creates one. Throws one `HealthConfigError` that lists every problem.
 * `ownOptions` lists the adapter's own options, which errors then name as known.
 */
export function mountHealth(options: MountOptions = {}, ownOptions: readonly string[] = []): MountedHealth {
  const problems = createProblems()
  if (!isPlain(options)) problems.add('options', 'an object', options)
  // the compiler accepts a health as options, since it has a prefix and paths too
  else if ('answer' in options) problems.addText('options', 'an object such as { health }', 'a health')
  // the adapter's factory itself was mounted instead of its result
  else if ('headers' in options || 'req' in options) {
    problems.addText('options', 'an object; use baldurHealth() with its parentheses', 'a request')
  }
  problems.throwIfAny()

  const { health, observe = false, ...rest } = options
  const known = ['health', 'observe', ...ownOptions]
  const wanted = observe === true ? {} : observe
  if (wanted !== false) readObserve(wanted, problems)

  let mounted: { readonly health: Health; readonly prefix: string }
  if (health === undefined) {
    const settings = readSettings(rest, MAKERS, problems, known)
    problems.throwIfAny()
    const made = buildHealth(settings)
    mounted = { health: made, prefix: made.prefix }
  } else {
    if (typeof health?.answer !== 'function') problems.add('health', 'what createHealth returned', health)
    checkBeside(rest, ['prefix', ...known], problems)
    const prefix = rest.prefix === undefined ? undefined : readPrefix(rest.prefix, problems)
    problems.throwIfAny()
    mounted = { health, prefix: prefix ?? health.prefix }
  }
  const observeResponse = wanted === false ? undefined : mounted.health.observe(wanted)
  return { ...mounted, isOwn: health === undefined, observe: observeResponse }
}
