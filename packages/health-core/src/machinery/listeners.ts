/** A typed list of listeners. */
export interface Listeners<Events extends object> {
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  /** Calls every listener; an error or rejection of one goes to `onError` and does not affect the others. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
}

export function createListeners<Events extends object>(onError: (error: unknown) => void): Listeners<Events> {
  const lists = new Map<keyof Events, Set<(event: never) => unknown>>()
  return {
    on: (name, listener) => {
      const list = lists.get(name) ?? new Set()
      lists.set(name, list)
      // a wrapper of its own, so that the same function given twice is two listeners
      const own = (event: never): unknown => listener(event)
      list.add(own)
      return () => list.delete(own)
    },
    emit: (name, event) => {
      for (const listener of [...(lists.get(name) ?? [])]) {
        try {
          // an async listener's rejection must not become an unhandled one
          Promise.resolve(listener(event as never)).catch(onError)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
