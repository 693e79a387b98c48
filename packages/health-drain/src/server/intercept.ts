import type { DrainableServer } from '../options.ts'

type Name = 'emit' | 'close'
/** Sees a call before the server does. True: it ends here. */
export type Handler = (...args: never[]) => boolean

interface Interception {
  readonly handlers: Set<Handler>
  undo(): void
}

/** On the server itself: however many drains it has seen, a method is wrapped once. */
const INTERCEPTIONS = Symbol('interceptions')
type Intercepted = DrainableServer & { [INTERCEPTIONS]?: Partial<Record<Name, Interception>> }

function wrap(server: Intercepted, name: Name, known: Partial<Record<Name, Interception>>): Interception {
  const handlers = new Set<Handler>()
  const wasOwn = Object.hasOwn(server, name)
  const before = server[name]
  const method = function (this: DrainableServer, ...args: never[]): unknown {
    for (const handler of handlers) if (handler(...args)) return name === 'emit' ? true : this
    // somebody may have wrapped the prototype's since
    const next = wasOwn ? before : (Object.getPrototypeOf(server) as DrainableServer)[name]
    return (next as (...args: never[]) => unknown).apply(this, args)
  }
  const own = { value: method, configurable: true, writable: true, enumerable: true }
  Object.defineProperty(server, name, own)
  const interception = {
    handlers,
    undo: (): void => {
      // somebody may have wrapped it after us: then ours stays in the chain, lets everything through, and serves the next handler
      if ((server[name] as unknown) !== method) return
      if (wasOwn) Object.defineProperty(server, name, { ...own, value: before })
      else Reflect.deleteProperty(server, name)
      if (known[name] === interception) delete known[name]
    },
  }
  known[name] = interception
  return interception
}

/** A text, as those that wrap `emit` expect. */
const PROBE = 'baldurDrainProbe'

/** Whether events still come through our wrapper: somebody may have put back an `emit` from before it. */
function isReached(server: DrainableServer, { handlers }: Interception): boolean {
  let hasCome = false
  const probe = (event: unknown): boolean => {
    if (event === PROBE) hasCome = true
    return event === PROBE
  }
  handlers.add(probe)
  server.emit(PROBE as never)
  handlers.delete(probe)
  return hasCome
}

/** Puts a handler before a method of a server; returns what takes it off. */
export function intercept(server: DrainableServer, name: Name, handler: Handler): () => void {
  const intercepted = server as Intercepted
  if (intercepted[INTERCEPTIONS] === undefined) {
    Object.defineProperty(server, INTERCEPTIONS, { value: {}, configurable: true })
  }
  const known = intercepted[INTERCEPTIONS] ?? {}
  if (name === 'emit' && known.emit !== undefined && !isReached(server, known.emit)) delete known.emit
  const { handlers, undo } = known[name] ?? wrap(intercepted, name, known)
  handlers.add(handler)
  return () => {
    if (handlers.delete(handler) && handlers.size === 0) undo()
  }
}
