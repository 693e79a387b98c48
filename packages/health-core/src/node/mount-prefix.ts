import { normalPrefix, PATH_ALLOWED } from '../rules/prefix.ts'
import { HealthConfigError } from '../vocabulary/config-error.ts'

/** The part of a probe request that says where it is mounted. Throws a `HealthConfigError` when that cannot be a prefix. */
export function mountPrefix(prefix: string | undefined): { readonly prefix?: string } {
  if (prefix === undefined) return {}
  const normal = normalPrefix(prefix)
  if (normal !== undefined) return { prefix: normal }
  throw new HealthConfigError([
    { path: 'prefix', expected: `empty, or ${PATH_ALLOWED}`, got: JSON.stringify(prefix) },
  ])
}
