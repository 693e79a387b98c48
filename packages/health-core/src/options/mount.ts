import { PROBES, type Probe } from '../vocabulary/probe.ts'
import { PATHS } from './defaults.ts'
import type { Plain } from './plain.ts'
import type { Problems } from './problems.ts'

/** A path as it stands on the wire: no query, no fragment, nothing that would have to be encoded. */
const PATH = /^\/(?!\/)[!$&'()*+,\-./0-9:;=@A-Z_a-z~%]*$/
const ALLOWED = 'a path that begins with one /, without query, fragment or spaces'

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

/** Where the endpoints are: the prefix without a closing slash, and the paths below it. */
export interface Mount {
  readonly prefix: string
  readonly paths: Readonly<Record<Probe, string>>
}

/** A prefix without its closing slash; what cannot be one is added to the problems. */
export function readPrefix(value: unknown, problems: Problems): string {
  if (value === undefined || value === '') return ''
  if (typeof value === 'string' && PATH.test(value)) return withoutSlash(value)
  problems.add('prefix', `empty, or ${ALLOWED}`, value)
  return ''
}

export function readMount(prefix: unknown, given: Plain, problems: Problems): Mount {
  const paths = { ...PATHS }
  for (const probe of PROBES) {
    const value = given[probe]
    if (value === undefined) continue
    if (typeof value === 'string' && PATH.test(value)) paths[probe] = withoutSlash(value)
    else problems.add(`paths.${probe}`, ALLOWED, value)
  }
  PROBES.forEach((probe, index) => {
    const twin = PROBES.slice(0, index).find((other) => paths[other] === paths[probe])
    if (twin !== undefined) problems.addText(`paths.${probe}`, 'a path of its own', `that of paths.${twin}`)
  })
  return { prefix: readPrefix(prefix, problems), paths }
}
