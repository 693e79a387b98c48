import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import type { AdminDrain, AdminHealth } from '../options.ts'
import { refusedBy } from '../rules/origin-gate.ts'
import type { Role } from '../rules/role.ts'
import { type Route, routeOf } from '../rules/route.ts'
import { control } from './control.ts'
import { explain } from './explain.ts'
import { answerProbe } from './probe.ts'
import { methodRefused, REFUSALS } from './refusals.ts'
import { hasBody, json, type Reply, reply } from './respond.ts'

interface HandlerParts {
  readonly health: AdminHealth
  readonly drain: AdminDrain | undefined
  readonly prefix: string | undefined
  readonly allowedHosts: ReadonlySet<string>
  readonly roleOf: (headers: IncomingMessage['headers']) => Role | undefined
  readonly page: Omit<Reply, 'status'>
  readonly metrics: { readonly contentType: string; render(): Promise<string> }
  /** Opens a stream of events, or refuses to. */
  readonly watch: (response: ServerResponse, role: Role) => Reply | undefined
  readonly bodyBytes: number
  readonly logger: Logger
}

/** What may be given to this request, or what refuses it: by its host, its origin, its path, its key, its role, in this order. */
function admit(
  { method = '', url = '', headers, rawHeaders }: IncomingMessage,
  { allowedHosts, roleOf }: Pick<HandlerParts, 'allowedHosts' | 'roleOf'>,
): { readonly refusal: Reply } | { readonly route: Route; readonly role: Role | undefined } {
  const route = routeOf(url)
  const refused = refusedBy(rawHeaders, allowedHosts, route?.access === 'open')
  if (refused !== undefined) return { refusal: REFUSALS[refused] }
  if (route === undefined) return { refusal: REFUSALS.path }
  if (!route.methods.includes(method)) return { refusal: methodRefused(route.methods) }
  const role = roleOf(headers)
  if (route.access === 'open') return { route, role }
  if (role === undefined) return { refusal: REFUSALS.key }
  if (route.access === 'viewer' || role === 'operator') return { route, role }
  return { refusal: role === 'none' ? REFUSALS.noKeys : REFUSALS.role }
}

/** The listener of the server. Nothing that it does rejects or throws: what breaks in it is a line and a 500. */
export function createHandler(
  parts: HandlerParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { health, drain, page, metrics, logger } = parts

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> => {
    const admitted = admit(request, parts)
    if ('refusal' in admitted) return admitted.refusal
    const { route, role } = admitted
    switch (route.resource) {
      case 'page':
        return { status: 200, ...page }
      case 'metrics':
        return { status: 200, headers: { 'content-type': metrics.contentType }, body: await metrics.render() }
      case 'explain':
        return json(200, explain(health, drain, parts.prefix))
      case 'control':
        return control(request, response, health, parts.bodyBytes, logger)
      case 'events':
        // a route for whoever may read: there is a role
        return parts.watch(response, role ?? 'none')
      default:
        answerProbe(request, response, route.resource, {
          health,
          isTrusted: role === 'viewer' || role === 'operator',
        })
        return undefined
    }
  }

  return (request, response) => {
    // what nobody asked for is not read: the answer goes out, and the connection with it
    if (hasBody(request)) response.shouldKeepAlive = false
    handle(request, response)
      .catch((error: unknown) => {
        logger.error(`admin: answering failed: ${formatError(error)}`)
        return REFUSALS.broken
      })
      .then((made) => {
        if (made !== undefined) reply(request, response, made)
      })
      .catch((error: unknown) => {
        logger.error(`admin: writing an answer failed: ${formatError(error)}`)
        response.destroy()
      })
  }
}
