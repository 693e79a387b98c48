import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a caller may: `none` where no keys are set, so that everything can be read and nothing switched. */
export type Role = 'none' | 'viewer' | 'operator'

export interface Keys {
  readonly operator: string | undefined
  readonly viewer: string | undefined
}

/** What was sent: scrapers cannot send the first header, so there is a second. */
function sentKey({ 'x-baldur-admin-key': own, authorization = '' }: IncomingHttpHeaders): string | undefined {
  if (own !== undefined) return String(own)
  return /^bearer +(.*)$/i.exec(authorization)?.[1]
}

const digest = (key: string): Buffer => createHash('sha256').update(key, 'latin1').digest()

/** Tells a caller's role from what it sent; undefined: no key that is one of these. As long whatever was sent, and whichever key it is. */
export function createRoles({ operator, viewer }: Keys): (headers: IncomingHttpHeaders) => Role | undefined {
  if (operator === undefined) return () => 'none'
  const ofOperator = digest(operator)
  // without a viewer's key the comparison is made all the same, with what no key can be
  const ofViewer = digest(viewer ?? '')
  return (headers) => {
    const sent = digest(sentKey(headers) ?? '')
    const isOperator = timingSafeEqual(sent, ofOperator)
    const isViewer = timingSafeEqual(sent, ofViewer) && viewer !== undefined
    return isOperator ? 'operator' : isViewer ? 'viewer' : undefined
  }
}
