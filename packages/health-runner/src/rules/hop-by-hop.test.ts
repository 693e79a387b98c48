import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endToEnd, membersOf, valuesOf, without } from './hop-by-hop.ts'

describe('headers of a connection', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['none of them', ['A', '1', 'B', '2'], ['A', '1', 'B', '2']],
    [
      'each of them',
      ['Connection', 'close', 'Keep-Alive', 'x', 'TE', 'x', 'Trailer', 'x', 'Upgrade', 'x'],
      [],
    ],
    ['in any case', ['TRANSFER-ENCODING', 'chunked', 'proxy-connection', 'x', 'Proxy-Authenticate', 'x'], []],
    ['what is for a proxy', ['Proxy-Authorization', 'x', 'HTTP2-Settings', 'x', 'A', '1'], ['A', '1']],
    ['what Connection names', ['A', '1', 'b', '2', 'Connection', 'B , a'], []],
    ['what a second Connection names', ['Connection', 'x', 'A', '1', 'connection', 'A'], []],
    ['a name that is a part', ['Connection', 'x-a', 'X-A-B', '1'], ['X-A-B', '1']],
    [
      'not Host, nor the length',
      ['Connection', 'host, content-length', 'Host', 'h', 'Content-Length', '1'],
      ['Host', 'h', 'Content-Length', '1'],
    ],
    [
      'not a value that reads like one',
      ['A', 'Connection', 'B', 'upgrade'],
      ['A', 'Connection', 'B', 'upgrade'],
    ],
    [
      'keeping order and doubles',
      ['Set-Cookie', 'a', 'TE', 'x', 'set-cookie', 'b'],
      ['Set-Cookie', 'a', 'set-cookie', 'b'],
    ],
  ])('go: %s', (_, headers, left) => {
    expect(endToEnd(headers)).toEqual(left)
  })

  it('are found by name, in order, and as members of a list', () => {
    const headers = ['A', 'x, Y', 'B', 'A', 'a', ' z ,,']
    expect(valuesOf(headers, 'a')).toEqual(['x, Y', ' z ,,'])
    expect(membersOf(headers, 'a')).toEqual(['x', 'y', 'z'])
    expect(without(headers, (name) => name === 'a')).toEqual(['B', 'A'])
  })

  it('are never all that is left of anything', () => {
    const name = fc.constantFrom('Connection', 'Upgrade', 'Host', 'X-A', 'x-b', 'TE', 'Cookie')
    const pairs = fc.array(fc.tuple(name, fc.constantFrom('close', 'X-A, x-b', 'cookie', '')))
    fc.assert(
      fc.property(pairs, (given) => {
        const left = endToEnd(given.flat())
        expect(left.length % 2).toBe(0)
        expect(valuesOf(left, 'connection')).toEqual([])
        expect(valuesOf(left, 'host')).toEqual(valuesOf(given.flat(), 'host'))
        // what is left stays left
        expect(endToEnd(left)).toEqual(left)
      }),
    )
  })
})
