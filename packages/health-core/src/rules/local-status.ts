import type { Reading } from '../vocabulary/reading.ts'

/** How this process sees one check: never asked, well, failing for good, or on its way (`fall` or `rise` is not reached yet). */
export type OwnView = 'unseen' | 'sound' | 'down' | 'moving'

export function ownView({ status, latest }: Reading): OwnView {
  if (latest === undefined) return 'unseen'
  if (status === 'usable') return latest.kind === 'usable' ? 'sound' : 'moving'
  return latest.kind === 'usable' ? 'moving' : 'down'
}

/** Whether what another process has seen is what this one would see: nothing of it is news. */
export const agrees = (views: Readonly<Record<string, OwnView>>, failing: readonly string[]): boolean =>
  Object.entries(views).every(
    ([name, view]) => view !== 'moving' && (view === 'down') === failing.includes(name),
  )
