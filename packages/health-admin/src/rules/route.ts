/** What answers below a path. */
export type Resource =
  | 'page'
  | 'live'
  | 'ready'
  | 'startup'
  | 'pool'
  | 'ping'
  | 'health'
  | 'metrics'
  | 'events'
  | 'explain'
  | 'control'

export interface Route {
  readonly resource: Resource
  /** Who may: everybody, whoever may read, or whoever may switch. */
  readonly access: 'open' | 'viewer' | 'operator'
  readonly methods: readonly string[]
}

const READ = ['GET', 'HEAD']
// what HAProxy asks by default
const PROBE = [...READ, 'OPTIONS']

/** Every path of the server. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': { resource: 'page', access: 'open', methods: READ },
  '/liveness': { resource: 'live', access: 'open', methods: PROBE },
  '/readiness': { resource: 'ready', access: 'open', methods: PROBE },
  '/startup': { resource: 'startup', access: 'open', methods: PROBE },
  '/health/pool': { resource: 'pool', access: 'open', methods: PROBE },
  '/health/ping': { resource: 'ping', access: 'open', methods: PROBE },
  '/health': { resource: 'health', access: 'viewer', methods: PROBE },
  '/metrics': { resource: 'metrics', access: 'viewer', methods: READ },
  '/events': { resource: 'events', access: 'viewer', methods: READ },
  '/explain': { resource: 'explain', access: 'viewer', methods: READ },
  '/control': { resource: 'control', access: 'operator', methods: ['POST'] },
}

/** The raw target, with or without one slash at its end and a query; undefined where nothing is. */
export function routeOf(target: string): Route | undefined {
  const [path = ''] = target.split('?', 1)
  const plain = path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path
  return Object.hasOwn(ROUTES, plain) ? ROUTES[plain] : undefined
}
