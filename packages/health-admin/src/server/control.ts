import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@baldur/health-core'
import type { AdminHealth } from '../options.ts'
import { readBody } from './read-body.ts'
import { REFUSALS } from './refusals.ts'
import { json, type Reply } from './respond.ts'

/** The one thing that can be asked for; undefined for everything else. */
function wantedOf(text: string): boolean | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'enabled')
      return undefined
    const { enabled } = value as { enabled?: unknown }
    return typeof enabled === 'boolean' ? enabled : undefined
  } catch {
    // no JSON: refused with what is allowed, like every other body
    return undefined
  }
}

/** Switches self-healing, and leaves a line that says who did. */
export async function control(
  request: IncomingMessage,
  response: ServerResponse,
  health: Pick<AdminHealth, 'selfHealing' | 'setSelfHealing'>,
  maxBytes: number,
  logger: Logger,
): Promise<Reply> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return REFUSALS.tooLarge(maxBytes)
  // whoever waits to be told to go on is told here, when host, key, role and length are known
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue()
  const text = await readBody(request, maxBytes)
  if (text === undefined) return REFUSALS.tooLarge(maxBytes)
  const enabled = wantedOf(text)
  if (enabled === undefined) return REFUSALS.body
  const before = health.selfHealing
  health.setSelfHealing(enabled)
  const word = (isOn: boolean): string => (isOn ? 'on' : 'off')
  // a warning, so that the default logger keeps it: somebody changed what happens by itself
  logger.warn(
    `admin: self-healing turned ${word(enabled)} by the operator key from ${request.socket.remoteAddress ?? 'a connection that has ended'} (it was ${word(before)})`,
  )
  return json(200, { enabled })
}
