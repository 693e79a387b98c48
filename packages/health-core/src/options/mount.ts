import { normalPath, normalPrefix, PATH_ALLOWED } from '../rules/prefix.ts'
import { PROBES, type Probe } from '../vocabulary/probe.ts'
import { PATHS } from './defaults.ts'
import type { Plain } from './plain.ts'
import type { Problems } from './problems.ts'

/** Where the endpoints are: the prefix without a closing slash, and the paths below it. */
export interface Mount {
  readonly prefix: string
  readonly paths: Readonly<Record<Probe, string>>
}

/** A prefix without its closing slash; what cannot be one is added to the problems. */
export function readPrefix(value: unknown, problems: Problems): string {
  const prefix = normalPrefix(value)
  if (prefix === undefined) problems.add('prefix', `empty, or ${PATH_ALLOWED}`, value)
  return prefix ?? ''
}

export function readMount(prefix: unknown, given: Plain, problems: Problems): Mount {
  const paths = { ...PATHS }
  for (const probe of PROBES) {
    const value = given[probe]
    if (value === undefined) continue
    const path = normalPath(value)
    if (path === undefined) problems.add(`paths.${probe}`, PATH_ALLOWED, value)
    else paths[probe] = path
  }
  PROBES.forEach((probe, index) => {
    const twin = PROBES.slice(0, index).find((other) => paths[other] === paths[probe])
    if (twin !== undefined) problems.addText(`paths.${probe}`, 'a path of its own', `that of paths.${twin}`)
  })
  return { prefix: readPrefix(prefix, problems), paths }
}
