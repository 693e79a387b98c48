import type { Check } from '../vocabulary/check.ts'
import { CHECK_NAME, CHECK_NAME_ALLOWED, type CheckEntry, entryOf } from './entry.ts'
import type { Problems } from './problems.ts'

/** All checks with their names: the databases first, then the others. Every name must be unique where it is shown. */
export function readEntries(
  databases: Readonly<Record<string, unknown>>,
  checks: readonly unknown[],
  problems: Problems,
): readonly CheckEntry[] {
  const aliases = Object.keys(databases)
  const defaultAlias = aliases.length === 1 ? aliases[0] : 'default'
  if (aliases.length > 1 && !aliases.includes('default')) {
    problems.addText(
      'databases',
      'one of several to have the key "default"',
      `the keys ${aliases.join(', ')}`,
    )
  }
  const entries: CheckEntry[] = []
  for (const alias of aliases) {
    const path = `databases.${alias}`
    if (!CHECK_NAME.test(alias) || alias.length > 55) {
      problems.addText(
        path,
        `a key of ${CHECK_NAME_ALLOWED.replace('64', '55')}`,
        JSON.stringify(alias.slice(0, 80)),
      )
      continue
    }
    const isDefault = alias === defaultAlias
    const name = `database_${alias}`
    const healthName = isDefault ? 'database' : name
    const entry = entryOf(path, databases[alias], { alias, isDefault, name, healthName }, problems)
    if (entry !== undefined) entries.push(entry)
  }
  checks.forEach((check, index) => {
    const named = (check as Partial<Check> | null | undefined)?.name
    const path = typeof named === 'string' && CHECK_NAME.test(named) ? `checks.${named}` : `checks[${index}]`
    const entry = entryOf(path, check, { isDefault: false }, problems)
    if (entry !== undefined) entries.push(entry)
  })
  const seen = new Set<string>()
  for (const { name, healthName } of entries) {
    for (const label of new Set([name, healthName])) {
      if (seen.has(label)) problems.addText('checks', 'names that are unique', `the name "${label}" twice`)
      seen.add(label)
    }
  }
  return entries
}
