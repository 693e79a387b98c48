import { describe, expect, it } from 'vitest'
import { findFault, hasBody } from './find-fault.ts'

const HOST = ['Host', 'x']
const TE = 'Transfer-Encoding'
const CL = 'Content-Length'

describe('a request', () => {
  it.each<[number | undefined, string, string, readonly string[]]>([
    [undefined, 'GET', '1.1', HOST],
    [undefined, 'GET', '1.0', []],
    [undefined, 'POST', '1.1', [...HOST, CL, '0']],
    [undefined, 'POST', '1.1', [...HOST, CL, '123456789012345']],
    [undefined, 'POST', '1.1', [...HOST, TE, 'chunked']],
    [undefined, 'POST', '1.1', [...HOST, TE, ' Chunked ']],
    [undefined, 'POST', '1.0', [CL, '5']],
    [undefined, 'PROPFIND', '1.1', HOST],
    [405, 'CONNECT', '1.1', HOST],
    [405, 'TRACE', '1.1', HOST],
    [400, 'GET', '1.1', []],
    [400, 'GET', '1.1', [...HOST, 'host', 'x']],
    [400, 'GET', '1.0', [...HOST, 'host', 'x']],
    [400, 'POST', '1.1', [...HOST, CL, '1', CL, '1']],
    [400, 'POST', '1.1', [...HOST, CL, '1, 1']],
    [400, 'POST', '1.1', [...HOST, CL, '']],
    [400, 'POST', '1.1', [...HOST, CL, '-1']],
    [400, 'POST', '1.1', [...HOST, CL, '+1']],
    [400, 'POST', '1.1', [...HOST, CL, '0x1']],
    [400, 'POST', '1.1', [...HOST, CL, '1234567890123456']],
    [400, 'POST', '1.1', [...HOST, CL, '1', TE, 'chunked']],
    [400, 'POST', '1.0', [...HOST, TE, 'chunked']],
    [400, 'POST', '1.1', [...HOST, TE, 'gzip, chunked']],
    [400, 'POST', '1.1', [...HOST, TE, 'chunked, chunked']],
    [400, 'POST', '1.1', [...HOST, TE, 'chunked', TE, 'chunked']],
    [400, 'POST', '1.1', [...HOST, TE, 'identity']],
    [400, 'POST', '1.1', [...HOST, TE, '']],
  ])('has the fault %s: %s HTTP/%s %j', (status, method, httpVersion, headers) => {
    const fault = findFault({ method, httpVersion, headers })
    expect(fault).toEqual(status === undefined ? undefined : { status, why: expect.any(String) })
  })

  it('has a body when it names a length above 0, or chunks', () => {
    expect(hasBody([])).toBe(false)
    expect(hasBody([CL, '0'])).toBe(false)
    expect(hasBody([CL, '1'])).toBe(true)
    expect(hasBody([TE, 'chunked'])).toBe(true)
  })
})
