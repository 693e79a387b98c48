import { nearest } from './nearest.ts'
import type { Problems } from './problems.ts'

/** Refuses every key that is not known, naming the near one. `path` is empty at the top level. */
export function refuseUnknown(
  path: string,
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  problems: Problems,
): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    const meant = nearest(key, known)
    problems.addText(
      path === '' ? key : `${path}.${key}`,
      `one of ${known.join(', ')}`,
      `an unknown option${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
    )
  }
}
