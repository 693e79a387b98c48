import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTarget } from './read-target.ts'

const path = (target: string, host?: string) => ({ kind: 'path', target, host })
const REFUSED = { kind: 'refused', why: expect.any(String) }
const GATEWAY = { kind: 'gateway' }

describe('a target', () => {
  it.each<[string, string, object]>([
    ['GET', '/', path('/')],
    ['GET', '/a/../b?c#d', path('/a/../b?c#d')],
    ['GET', '//other.example/x', path('//other.example/x')],
    ['GET', '/%00%2e%2e', path('/%00%2e%2e')],
    ['GET', 'http://x', path('/', 'x')],
    ['GET', 'http://x/', path('/', 'x')],
    ['GET', 'HTTPS://x:8/a?b', path('/a?b', 'x:8')],
    ['GET', 'http://x?b', path('/?b', 'x')],
    ['GET', 'http://[::1]:80/a', path('/a', '[::1]:80')],
    ['GET', 'http:///a', REFUSED],
    ['GET', 'http://u@x/', REFUSED],
    ['GET', 'http://u:p@x/', REFUSED],
    ['GET', 'http://x:port/', REFUSED],
    ['GET', 'http://x y/', REFUSED],
    ['GET', 'http:/x', REFUSED],
    ['GET', 'ws://x/', REFUSED],
    ['GET', 'x:443', REFUSED],
    ['GET', 'a', REFUSED],
    ['GET', '', REFUSED],
    ['GET', '?a', REFUSED],
    ['GET', '*', REFUSED],
    ['OPTIONS', '*', GATEWAY],
    ['OPTIONS', 'http://x', GATEWAY],
    ['OPTIONS', 'http://x/', path('/', 'x')],
    ['OPTIONS', '**', REFUSED],
  ])('%s %s', (method, target, read) => {
    expect(readTarget(method, target)).toEqual(read)
  })

  it('never throws, and a path always begins with a slash', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((rest) => `http://${rest}`),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(fc.constantFrom('GET', 'OPTIONS'), text, (method, target) => {
        const read = readTarget(method, target)
        if (read.kind === 'path') expect(read.target.startsWith('/')).toBe(true)
      }),
    )
  })
})
