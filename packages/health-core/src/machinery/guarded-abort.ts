type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown }

/** Node ignores what is none. */
const isListener = (listener: unknown): listener is Listener =>
  typeof listener === 'function' || (typeof listener === 'object' && listener !== null)

/**
 * An AbortController whose listeners cannot break the process: Node throws again, on the next tick and past every
 * `catch`, what a listener of an AbortSignal throws. Here it goes to `onError`.
 */
export function guardedAbort(onError: (error: unknown) => void): AbortController {
  const controller = new AbortController()
  const { signal } = controller
  const guards = new WeakMap<object, (event: Event) => void>()

  const guard = (listener: Listener): ((event: Event) => void) => {
    const known = guards.get(listener)
    if (known !== undefined) return known
    const guarded = (event: Event): void => {
      try {
        const result: unknown =
          typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event)
        // an async listener's rejection would end the process in the same way
        if (result instanceof Promise) result.catch(onError)
      } catch (error) {
        onError(error)
      }
    }
    guards.set(listener, guarded)
    return guarded
  }

  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  let onabort: ((event: Event) => void) | null = null
  Object.defineProperties(signal, {
    addEventListener: {
      value: (type: string, listener?: Listener | null, options?: object) =>
        isListener(listener) ? add(type, guard(listener), options) : undefined,
    },
    removeEventListener: {
      value: (type: string, listener?: Listener | null, options?: object) =>
        isListener(listener) ? remove(type, guard(listener), options) : undefined,
    },
    onabort: {
      get: () => onabort,
      set: (listener: typeof onabort) => {
        if (onabort !== null) remove('abort', guard(onabort))
        onabort = typeof listener === 'function' ? listener : null
        if (onabort !== null) add('abort', guard(onabort))
      },
    },
  })
  return controller
}
