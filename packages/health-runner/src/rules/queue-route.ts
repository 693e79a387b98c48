/** What a request wants of the queue. */
export type QueueRoute =
  | { readonly kind: 'add'; readonly target: string }
  | { readonly kind: 'status' | 'result' | 'cancel'; readonly id: string }
  /** The path is the queue's, and answers other methods. */
  | { readonly kind: 'method'; readonly allowed: readonly string[] }

const READ = ['GET', 'HEAD']

/** Paths of the queue's own; whatever else is below `/queue/` is a path of the app. */
const OWN = /^\/queue\/requests\/([^/?]+)(?:\/(status|cancel))?\/?(?:\?.*)?$/s

/** The raw target; undefined where the queue has no part in it. */
export function queueRoute(method: string, target: string): QueueRoute | undefined {
  if (!target.startsWith('/queue/')) return undefined
  const [, id, word = 'result'] = OWN.exec(target) ?? []
  if (id === undefined) {
    if (method !== 'POST') return { kind: 'method', allowed: ['POST'] }
    return { kind: 'add', target: target.slice('/queue'.length) }
  }
  const kind = word as 'status' | 'result' | 'cancel'
  const allowed = kind === 'cancel' ? ['PUT'] : READ
  return allowed.includes(method) ? { kind, id } : { kind: 'method', allowed }
}
