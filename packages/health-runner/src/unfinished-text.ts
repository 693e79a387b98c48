/** So many are named; of thousands the first tell what the others are. */
const NAMED = 20

/** The log line about what the queue still held at its end. The query may hold a secret. */
export function unfinishedText(
  left: readonly { readonly id: string; readonly method: string; readonly target: string }[],
  { isKept, unfetched }: { readonly isKept: boolean; readonly unfetched: number },
): string {
  const names = left
    .slice(0, NAMED)
    .map(({ id, method, target }) => `${id} ${method} ${target.split('?')[0]}`)
  const more = left.length > NAMED ? `, and ${left.length - NAMED} more` : ''
  const what = isKept ? 'are left in the queue for others' : 'were in memory and are lost'
  const unseen = unfetched > 0 ? `; so are results that nobody has fetched: ${unfetched}` : ''
  return `${left.length} queued requests without a result ${what}: ${names.join(', ')}${more}${unseen}`
}

/** The one where all have a result, which its caller has not seen. */
export const unfetchedText = (unfetched: number): string =>
  `the queue has finished; results that nobody has fetched were in memory and are lost: ${unfetched}`
