/** What runs when every request has ended. */
export interface Hook {
  readonly name: string
  /** Its signal aborts when its time is over. */
  readonly run: (context: { readonly signal: AbortSignal }) => unknown
  readonly timeoutMs: number | undefined
  /** Names of hooks that come before it; `*` for all that do not say so themselves. */
  readonly after: readonly string[]
}

const isForTheEnd = ({ after }: Hook): boolean => after.includes('*')

/**
 * Hooks in the order of their registration, but for those that wait for others. A name that nobody has is as good as done; a
 * circle is broken where it was registered first, and told.
 */
export function orderHooks(hooks: readonly Hook[]): {
  readonly order: readonly Hook[]
  readonly circular: readonly string[]
} {
  const names = new Set(hooks.map(({ name }) => name))
  const waiting = [...hooks]
  const order: Hook[] = []
  const circular: string[] = []
  while (waiting.length > 0) {
    const isDone = (name: string): boolean =>
      name === '*' ? waiting.every(isForTheEnd) : !names.has(name) || order.some((hook) => hook.name === name)
    const ready = waiting.findIndex(({ after }) => after.every(isDone))
    const [next] = waiting.splice(Math.max(0, ready), 1) as [Hook]
    if (ready === -1) circular.push(next.name)
    order.push(next)
  }
  return { order, circular }
}
