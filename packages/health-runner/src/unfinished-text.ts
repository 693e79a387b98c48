/** So many are named; of thousands the first tell what the others are. */
const NAMED = 20

/** The log line about what the queue still held at its end. The query may hold a secret. */
export function unfinishedText(
  left: readonly { readonly id: string; readonly method: string; readonly target: string }[],
  isKept: boolean,
): string {
  const names = left
    .slice(0, NAMED)
    .map(({ id, method, target }) => `${id} ${method} ${target.split('?')[0]}`)
  const more = left.length > NAMED ? `, and ${left.length - NAMED} more` : ''
  const what = isKept ? 'are left in the queue for others' : 'were in memory and are lost'
  return `${left.length} queued requests without a result ${what}: ${names.join(', ')}${more}`
}
