import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeAnswer } from '@baldur/health-core/node'
import type { AdminHealth } from '../options.ts'
import type { Resource } from '../rules/route.ts'
import { ALWAYS } from './respond.ts'

export type ProbeResource = Extract<Resource, 'live' | 'ready' | 'startup' | 'pool' | 'ping' | 'health'>

/** Answers a probe as the service's own endpoint does, wherever that is mounted. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  resource: ProbeResource,
  {
    health,
    isTrusted,
  }: { readonly health: Pick<AdminHealth, 'answer' | 'paths'>; readonly isTrusted: boolean },
): void {
  const { method = '', url = '' } = request
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  const answer = health.answer({
    method,
    target: health.paths[resource] + query,
    prefix: '',
    message: request,
    ...(isTrusted ? { expose: 'message' } : {}),
  })
  for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value)
  if (answer !== undefined) writeAnswer(response, answer)
}
