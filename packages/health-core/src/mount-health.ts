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

/** What every adapter takes: a health that exists, or the options of a new one. */
export interface MountOptions extends HealthOptions {
  /** A health made with `createHealth`; the other options of `createHealth`, but for `prefix`, belong there then. */
  readonly health?: Health | undefined
  /**
   * Judges the app by its own answers: `fall` times 503 in a row read as a check `responses: not_ready` for `holdMs`, a 504
   * degrades the verdict for as long. Probes and a drain do not count. @default false
   */
  readonly observe?: boolean | ObserveOptions | undefined
}

/** A health and where it is mounted. */
export interface MountedHealth {
  readonly health: Health
  readonly prefix: string
  /** Made here, so whoever mounted it closes it. */
  readonly isOwn: boolean
  /** To be told of every answer of the app, where the options ask for that. */
  readonly observe: ObserveResponse | undefined
}

/** What is wrong with options that stand beside a health that exists. */
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
 * Takes the health that was given or makes one. Throws one `HealthConfigError` with everything that is wrong.
 * `ownOptions` names the options that the adapter has taken out for itself, for errors to name.
 */
export function mountHealth(options: MountOptions = {}, ownOptions: readonly string[] = []): MountedHealth {
  const problems = createProblems()
  if (!isPlain(options)) problems.add('options', 'an object', options)
  // a health has a prefix and paths too, so that the compiler takes it for options
  else if ('answer' in options) problems.addText('options', 'an object such as { health }', 'a health')
  // the factory itself was used, where its result belongs
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
  const told = wanted === false ? undefined : mounted.health.observe(wanted)
  return { ...mounted, isOwn: health === undefined, observe: told }
}
