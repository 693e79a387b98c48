import { createHealth, type Health } from './create-health.ts'
import type { HealthOptions } from './options/input.ts'
import { readPrefix } from './options/mount.ts'
import { createProblems } from './options/problems.ts'

/** What every adapter takes: a health that exists, or the options of a new one. */
export interface MountOptions extends HealthOptions {
  /** A health made with `createHealth`; the other options belong there then. */
  readonly health?: Health | undefined
}

/** A health and where it is mounted. */
export interface MountedHealth {
  readonly health: Health
  readonly prefix: string
  /** Made here, so whoever mounted it closes it. */
  readonly isOwn: boolean
}

/** Takes the health that was given or makes one. Throws a `HealthConfigError` when options stand beside a health that has its own. */
export function mountHealth(options: MountOptions = {}): MountedHealth {
  const { health, ...own } = options
  if (health === undefined) {
    const made = createHealth(own)
    return { health: made, prefix: made.prefix, isOwn: true }
  }
  const problems = createProblems()
  if (typeof health?.answer !== 'function') problems.add('health', 'what createHealth returned', health)
  for (const [key, value] of Object.entries(own)) {
    if (key === 'prefix' || value === undefined) continue
    problems.addText(key, 'to be given to createHealth', 'an option beside a health that exists')
  }
  const prefix = own.prefix === undefined ? undefined : readPrefix(own.prefix, problems)
  problems.throwIfAny()
  return { health, prefix: prefix ?? health.prefix, isOwn: false }
}
