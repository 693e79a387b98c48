import type { Socket } from 'node:net'
import { FIXED } from '../settings/defaults.ts'

/**
 * Passes bytes both ways, each at the pace of who takes them. An end is passed on, and the other direction goes on; a break
 * of one side is a break of the other. What is left for a side that is alone has `idleMs` between two pieces.
 */
export function joinSockets(one: Socket, other: Socket, idleMs: number): void {
  const follow = (gone: Socket, left: Socket): void => {
    gone.on('error', () => left.resetAndDestroy())
    gone.once('close', () => {
      if (left.destroyed) return
      left.setTimeout(idleMs, () => left.destroy())
      left.destroySoon()
    })
    // who is gone without a word is noticed by the kernel
    gone.setKeepAlive(true, FIXED.clientIdleMs)
    gone.setTimeout(0)
    gone.pipe(left)
  }
  follow(one, other)
  follow(other, one)
}
