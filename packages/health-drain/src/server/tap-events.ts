import type { DrainableServer } from '../options.ts'

/** Sees an event of a server before its listeners. True: it ends here. */
export type Tap = (event: string, subject: unknown, beside: unknown) => boolean

interface Wrapper {
  readonly taps: Set<Tap>
  unwrap(): void
}

/** On the server itself, whose `emit` is wrapped once, however many drains it has seen. */
const WRAPPER = Symbol('the wrapper of emit')
type Tapped = DrainableServer & { [WRAPPER]?: Wrapper }

function wrapEmit(server: Tapped): Wrapper {
  const taps = new Set<Tap>()
  const wasOwn = Object.hasOwn(server, 'emit')
  const before = server.emit
  const emit = function (this: DrainableServer, event: string, ...args: never[]): boolean {
    for (const tap of taps) if (tap(event, args[0], args[1])) return true
    // somebody may have wrapped the prototype's since
    const next = wasOwn ? before : (Object.getPrototypeOf(server) as DrainableServer).emit
    return next.call(this, event, ...args)
  }
  const wrapper = {
    taps,
    unwrap: (): void => {
      // somebody may have wrapped it after us: then ours stays in the chain, lets everything through, and serves the next tap
      if (server.emit !== emit) return
      if (wasOwn) server.emit = before
      else Reflect.deleteProperty(server, 'emit')
      Reflect.deleteProperty(server, WRAPPER)
    },
  }
  server.emit = emit
  Object.defineProperty(server, WRAPPER, { value: wrapper, configurable: true })
  return wrapper
}

/** Adds a tap to a server; returns what takes it off, and the wrapper with the last one. */
export function tapEvents(server: DrainableServer, tap: Tap): () => void {
  const { taps, unwrap } = (server as Tapped)[WRAPPER] ?? wrapEmit(server)
  taps.add(tap)
  return () => {
    if (taps.delete(tap) && taps.size === 0) unwrap()
  }
}
