import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { describe, expect, it } from 'vitest'
import { intercept } from './intercept.ts'

describe('a method with a handler before it', () => {
  const made = () => {
    const server = createServer()
    const seen: string[] = []
    server.on('x', (value) => seen.push(`listener ${value}`))
    const handler =
      (name: string, ends = false) =>
      (event: unknown, value: unknown) => {
        if (event !== 'x') return false
        seen.push(`${name} ${value}`)
        return ends
      }
    return { server, seen, handler, isTouched: () => Object.hasOwn(server, 'emit') }
  }

  it('is seen first, and passed on unless a handler ends it', () => {
    const { server, seen, handler } = made()
    const off = intercept(server, 'emit', handler('passes'))
    expect(server.emit('x', 1)).toBe(true)
    intercept(server, 'emit', handler('ends', true))
    expect(server.emit('x', 2)).toBe(true)
    off()
    server.emit('x', 3)
    expect(seen).toEqual(['passes 1', 'listener 1', 'passes 2', 'ends 2', 'ends 3'])
  })

  it.each([
    ['first', [0, 1]],
    ['last', [1, 0]],
  ])('is as it was when all are off, the %s one first', (_which, order) => {
    const { server, isTouched, handler } = made()
    const offs = [intercept(server, 'emit', handler('a')), intercept(server, 'emit', handler('b'))]
    for (const index of order) offs[index]?.()
    expect(isTouched()).toBe(false)
    expect(server.emit).toBe(EventEmitter.prototype.emit)
  })

  it('stays in the chain when somebody has wrapped it, once however many come', () => {
    const { server, seen, handler } = made()
    const off = intercept(server, 'emit', handler('a'))
    const below = server.emit
    let depth = 0
    server.emit = function (this: Server, ...args: Parameters<typeof below>) {
      // as those do that look at the name
      if (args[0].startsWith('x')) depth += 1
      return below.apply(this, args)
    } as typeof below
    off()
    const wrapped = server.emit
    for (let i = 0; i < 10; i++) intercept(server, 'emit', handler('b'))()
    intercept(server, 'emit', handler('c'))
    expect(server.emit).toBe(wrapped)
    depth = 0
    server.emit('x', 1)
    expect([seen, depth]).toEqual([['c 1', 'listener 1'], 1])
  })

  it('is wrapped anew when somebody has put back one from before', () => {
    const { server, seen, handler } = made()
    const original = server.emit
    server.emit = function (this: Server, ...args: Parameters<typeof original>) {
      return original.apply(this, args)
    } as typeof original
    const off = intercept(server, 'emit', handler('a'))
    server.emit = original
    off()
    intercept(server, 'emit', handler('b'))
    server.emit('x', 1)
    expect(seen).toEqual(['b 1', 'listener 1'])
  })

  it('keeps its own answer and its arguments', async () => {
    const { server } = made()
    let isClosing = true
    const off = intercept(server, 'close', () => isClosing)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    expect(server.close()).toBe(server)
    expect(server.listening).toBe(true)
    isClosing = false
    await new Promise((resolve) => server.close(resolve))
    off()
    expect(Object.hasOwn(server, 'close')).toBe(false)
  })
})
