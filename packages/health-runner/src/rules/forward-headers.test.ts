import { describe, expect, it } from 'vitest'
import { forwardHeaders } from './forward-headers.ts'
import { valuesOf } from './hop-by-hop.ts'

const forward = (headers: readonly string[], more: object = {}) =>
  forwardHeaders({ headers, client: '127.0.0.1', requestId: 'id', host: undefined, ...more })

describe('the headers that a runner gets', () => {
  it('are those of the client, and where it came from, at the end', () => {
    expect(forward(['Host', 'x', 'A', '1'])).toEqual([
      ...['Host', 'x', 'A', '1', 'X-Forwarded-For', '127.0.0.1', 'X-Forwarded-Proto', 'http'],
      ...['X-Forwarded-Host', 'x', 'X-Baldur-Request-Id', 'id', 'X-Baldur-Attempt', '1'],
    ])
  })

  it.each<[string, string, object, readonly string[], readonly string[]]>([
    ['the client’s address', 'x-forwarded-for', { client: '10.1.2.3' }, [], ['10.1.2.3']],
    ['an IPv4 address that came as IPv6', 'x-forwarded-for', { client: '::ffff:10.1.2.3' }, [], ['10.1.2.3']],
    ['an IPv6 address', 'x-forwarded-for', { client: '::1' }, [], ['::1']],
    ['no address', 'x-forwarded-for', { client: undefined }, [], []],
    [
      'the way so far',
      'x-forwarded-for',
      {},
      ['X-Forwarded-For', 'a', 'x-forwarded-for', 'b'],
      ['a, b, 127.0.0.1'],
    ],
    [
      'a way that Connection names',
      'x-forwarded-for',
      {},
      ['Connection', 'x-forwarded-for', 'X-Forwarded-For', 'a'],
      ['a, 127.0.0.1'],
    ],
    ['the protocol in front', 'x-forwarded-proto', {}, ['X-Forwarded-Proto', 'https'], ['https']],
    ['the host in front', 'x-forwarded-host', {}, ['Host', 'x', 'X-Forwarded-Host', 'shop'], ['shop']],
    ['no host', 'x-forwarded-host', {}, [], []],
    ['the longest host', 'x-forwarded-host', {}, ['Host', 'h'.repeat(259)], ['h'.repeat(259)]],
    ['no host that is longer than any', 'x-forwarded-host', {}, ['Host', 'h'.repeat(260)], []],
    ['the host of an absolute target', 'host', { host: 'y' }, ['Host', 'x'], ['y']],
    ['that host where none was sent', 'host', { host: 'y' }, [], ['y']],
    ['that host in front as well', 'x-forwarded-host', { host: 'y' }, ['Host', 'x'], ['y']],
    ['an id of its own', 'x-baldur-request-id', {}, ['X-Baldur-Request-Id', 'theirs'], ['id']],
    ['an attempt of its own', 'x-baldur-attempt', {}, ['x-baldur-attempt', '9'], ['1']],
    ['no expectation', 'expect', {}, ['Expect', '100-continue'], []],
    ['an upgrade', 'upgrade', { upgrade: 'websocket' }, ['Upgrade', 'websocket'], ['websocket']],
    [
      'the connection of an upgrade',
      'connection',
      { upgrade: 'websocket' },
      ['Connection', 'keep-alive, Upgrade'],
      ['Upgrade'],
    ],
    ['no upgrade that goes no further', 'upgrade', {}, ['Connection', 'Upgrade', 'Upgrade', 'h2c'], []],
  ])('have %s (%s)', (_, name, more, headers, values) => {
    expect(valuesOf(forward(headers, more), name)).toEqual(values)
  })
})
