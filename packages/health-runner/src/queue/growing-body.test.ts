import fc from 'fast-check'
import { expect, it } from 'vitest'
import { growingBody } from './growing-body.ts'

const MIB = 1_048_576

it('is what was added, whatever the pieces, and takes no more than twice that or the least, never more than it may', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 30 }), (pieces) => {
      const all = Buffer.concat(pieces)
      const body = growingBody(all.length)
      for (const piece of pieces) {
        const size = body.sizeWith(piece.length)
        body.add(Buffer.from(piece))
        expect(size).toBe(body.sizeWith(0))
        expect(size).toBeGreaterThanOrEqual(body.bytes)
        expect(size).toBeLessThanOrEqual(Math.min(all.length, Math.max(4_096, 2 * body.bytes)))
      }
      expect(body.whole().equals(all)).toBe(true)
      expect(body.whole().buffer.byteLength).toBe(all.length)
    }),
  )
})

it('of 8 MiB in pieces of one byte holds one buffer, not 8 million', () => {
  const body = growingBody(10 * MIB)
  const piece = Buffer.from('x')
  const before = process.memoryUsage()
  for (let i = 0; i < 8 * MIB; i++) body.add(piece)
  const { heapUsed, external } = process.memoryUsage()
  expect(body.bytes).toBe(8 * MIB)
  expect(heapUsed - before.heapUsed + external - before.external).toBeLessThan(64 * MIB)
})
