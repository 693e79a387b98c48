import { membersOf, valuesOf } from './hop-by-hop.ts'

export interface Fault {
  readonly status: number
  readonly why: string
}

export interface FramedRequest {
  readonly method: string
  readonly httpVersion: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

const bad = (why: string): Fault => ({ status: 400, why })

/**
 * What makes a request one that two servers could read in two ways, or that goes to no runner; undefined when it is sound.
 * Node's parser refuses much of it before; what is here does not depend on that.
 */
export function findFault({ method, httpVersion, headers }: FramedRequest): Fault | undefined {
  if (method === 'CONNECT') return { status: 405, why: 'this is no tunnel: CONNECT is not allowed' }
  // it would show the client what is added to its request on the way
  if (method === 'TRACE') return { status: 405, why: 'TRACE is not allowed' }
  const hosts = valuesOf(headers, 'host').length
  if (hosts > 1) return bad('more than one Host header')
  if (hosts === 0 && httpVersion === '1.1') return bad('no Host header')
  const lengths = valuesOf(headers, 'content-length')
  if (lengths.length > 1) return bad('more than one Content-Length header')
  if (lengths.some((length) => !/^\d{1,15}$/.test(length))) return bad('the Content-Length is not a number')
  if (valuesOf(headers, 'transfer-encoding').length === 0) return undefined
  if (lengths.length > 0) return bad('both Content-Length and Transfer-Encoding')
  if (httpVersion !== '1.1') return bad(`Transfer-Encoding in a request of HTTP/${httpVersion}`)
  const codings = membersOf(headers, 'transfer-encoding')
  if (codings.length !== 1 || codings[0] !== 'chunked') return bad('a Transfer-Encoding other than chunked')
  return undefined
}

/** Whether a body follows the head. */
export function hasBody(headers: readonly string[]): boolean {
  return (
    valuesOf(headers, 'transfer-encoding').length > 0 ||
    valuesOf(headers, 'content-length').some((length) => Number(length) > 0)
  )
}
