import { describe, expect, it } from 'vitest'
import { createListeners, type Listeners } from './listeners.ts'

interface Events {
  readonly moved: { readonly to: string }
  readonly ended: { readonly ms: number }
}

function setUp(): {
  readonly listeners: Listeners<Events>
  readonly errors: unknown[]
  readonly heard: string[]
} {
  const errors: unknown[] = []
  return { listeners: createListeners<Events>((error) => errors.push(error)), errors, heard: [] }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('listeners', () => {
  it('hear their own event, in the order they came, before emit returns', () => {
    const { listeners, heard } = setUp()
    listeners.on('moved', ({ to }) => heard.push(`first ${to}`))
    listeners.on('ended', ({ ms }) => heard.push(`ended ${ms}`))
    listeners.on('moved', ({ to }) => heard.push(`second ${to}`))
    listeners.emit('moved', { to: 'a' })
    expect(heard).toEqual(['first a', 'second a'])
    listeners.emit('ended', { ms: 3 })
    expect(heard).toEqual(['first a', 'second a', 'ended 3'])
  })

  it('an event that nobody listens to goes nowhere', () => {
    const { listeners, errors } = setUp()
    listeners.emit('moved', { to: 'a' })
    expect(errors).toEqual([])
  })

  it('one that throws is told of and stops no other', () => {
    const { listeners, errors, heard } = setUp()
    const boom = new Error('boom')
    listeners.on('moved', () => {
      throw boom
    })
    listeners.on('moved', ({ to }) => heard.push(to))
    listeners.emit('moved', { to: 'a' })
    expect(heard).toEqual(['a'])
    expect(errors).toEqual([boom])
  })

  it('one that rejects is told of, never as an unhandled rejection', async () => {
    const { listeners, errors, heard } = setUp()
    const unhandled: unknown[] = []
    const note = (reason: unknown): number => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const boom = new Error('boom')
    const rejecting: () => unknown = () => Promise.reject(boom)
    listeners.on('moved', rejecting)
    listeners.on('moved', ({ to }) => heard.push(to))
    listeners.emit('moved', { to: 'a' })
    await settled()
    await settled()
    process.off('unhandledRejection', note)
    expect(heard).toEqual(['a'])
    expect(errors).toEqual([boom])
    expect(unhandled).toEqual([])
  })

  it('one that returns something with a hostile then is told of', async () => {
    const { listeners, errors } = setUp()
    const boom = new Error('boom')
    const hostile: object = Object.defineProperty({}, 'then', {
      get: () => {
        throw boom
      },
    })
    listeners.on('moved', () => hostile)
    listeners.emit('moved', { to: 'a' })
    await settled()
    expect(errors).toEqual([boom])
  })

  it('removing one twice removes no other', () => {
    const { listeners, heard } = setUp()
    const listener = ({ to }: { to: string }): number => heard.push(to)
    const off = listeners.on('moved', listener)
    listeners.on('moved', listener)
    off()
    off()
    listeners.emit('moved', { to: 'a' })
    expect(heard).toEqual(['a'])
  })

  it('the same function added twice hears twice', () => {
    const { listeners, heard } = setUp()
    const listener = ({ to }: { to: string }): number => heard.push(to)
    listeners.on('moved', listener)
    listeners.on('moved', listener)
    listeners.emit('moved', { to: 'a' })
    expect(heard).toEqual(['a', 'a'])
  })

  it('one that removes itself while it hears keeps no other from hearing', () => {
    const { listeners, heard } = setUp()
    const off = listeners.on('moved', () => {
      heard.push('once')
      off()
    })
    listeners.on('moved', () => heard.push('always'))
    listeners.emit('moved', { to: 'a' })
    listeners.emit('moved', { to: 'b' })
    expect(heard).toEqual(['once', 'always', 'always'])
  })

  it('one that is added while others hear hears the next event only', () => {
    const { listeners, heard } = setUp()
    let isAdded = false
    listeners.on('moved', () => {
      if (!isAdded) listeners.on('moved', ({ to }) => heard.push(to))
      isAdded = true
    })
    listeners.emit('moved', { to: 'a' })
    expect(heard).toEqual([])
    listeners.emit('moved', { to: 'b' })
    expect(heard).toEqual(['b'])
  })

  it('an event emitted while another is heard is heard at once', () => {
    const { listeners, heard } = setUp()
    listeners.on('moved', ({ to }) => {
      if (to === 'a') listeners.emit('moved', { to: 'b' })
      heard.push(to)
    })
    listeners.emit('moved', { to: 'a' })
    expect(heard).toEqual(['b', 'a'])
  })

  it('two lists share nothing', () => {
    const [one, other] = [setUp(), setUp()]
    one.listeners.on('moved', ({ to }) => one.heard.push(to))
    other.listeners.emit('moved', { to: 'a' })
    expect(one.heard).toEqual([])
  })
})
