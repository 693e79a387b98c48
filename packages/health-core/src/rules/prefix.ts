/** A path as it stands on the wire: no query, no fragment, nothing that would have to be encoded. */
const PATH = /^\/(?!\/)[!$&'()*+,\-./0-9:;=@A-Z_a-z~%]*$/

export const PATH_ALLOWED = 'a path that begins with one /, without query, fragment or spaces'

/** A path without its closing slash, or undefined when it cannot be one. */
export function normalPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !PATH.test(value)) return undefined
  return value.endsWith('/') ? value.slice(0, -1) : value
}

/** A prefix without its closing slash: empty, or a path; undefined when it is neither. */
export const normalPrefix = (value: unknown): string | undefined =>
  value === undefined || value === '' ? '' : normalPath(value)
