import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWaits } from '../waits.ts'
import { type Hook, orderHooks } from './order-hooks.ts'
import { runHooks } from './run-hooks.ts'

const hook = (name: string, run: Hook['run'] = () => undefined, more: Partial<Hook> = {}): Hook => ({
  ...{ name, run, timeoutMs: undefined, after: [] },
  ...more,
})
const namesOf = (hooks: readonly Hook[]): string => hooks.map(({ name }) => name).join(' ')

describe('the order of hooks', () => {
  it('is that of their registration', () => {
    expect(namesOf(orderHooks([hook('a'), hook('b'), hook('c')]).order)).toBe('a b c')
  })

  it('puts one behind those that it waits for, registered later or not', () => {
    const hooks = [
      hook('log', undefined, { after: ['db', 'queue'] }),
      hook('queue'),
      hook('db', undefined, { after: ['queue'] }),
    ]
    expect(namesOf(orderHooks(hooks).order)).toBe('queue db log')
  })

  it('puts one that waits for all at the end, several in their order', () => {
    const hooks = [
      hook('z', undefined, { after: ['*'] }),
      hook('a'),
      hook('y', undefined, { after: ['*', 'z'] }),
      hook('b'),
    ]
    expect(namesOf(orderHooks(hooks).order)).toBe('a b z y')
  })

  it('takes a name that nobody has as done', () => {
    expect(namesOf(orderHooks([hook('a', undefined, { after: ['nobody'] })]).order)).toBe('a')
  })

  it('breaks a circle where it was registered first, and says so', () => {
    const hooks = [hook('a', undefined, { after: ['b'] }), hook('b', undefined, { after: ['a'] }), hook('c')]
    const { order, circular } = orderHooks(hooks)
    expect([namesOf(order), circular]).toEqual(['c a b', ['a']])
  })

  it('holds every hook once, and each behind those it waits for unless they are in a circle', () => {
    const graph = fc.array(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 }), { maxLength: 8 })
    fc.assert(
      fc.property(graph, (edges) => {
        const hooks = edges.map((after, index) =>
          hook(String(index), undefined, { after: after.map(String) }),
        )
        const { order, circular } = orderHooks(hooks)
        expect(namesOf([...order].sort((a, b) => (a.name < b.name ? -1 : 1)))).toBe(namesOf(hooks))
        for (const [at, { name, after }] of order.entries()) {
          const isLate = after.some((other) => order.findIndex((one) => one.name === other) > at)
          expect(isLate && !circular.includes(name)).toBe(false)
        }
      }),
    )
  })
})

describe('running hooks', () => {
  /** A clock whose time passes only when somebody waits for it. */
  const fastClock = () => {
    let now = 0
    return {
      now: () => now,
      skip: (ms: number) => {
        now += ms
      },
      after: (ms: number, fire: () => void) => {
        const timer = setTimeout(() => {
          now += ms
          fire()
        }, 0)
        return () => clearTimeout(timer)
      },
    }
  }
  const run = async (hooks: readonly Hook[], totalMs = 3_000) => {
    const lines: string[] = []
    const log = (line: string): void => {
      lines.push(line)
    }
    const logger = { debug: log, info: log, warn: log, error: log }
    const clock = fastClock()
    const failed = await runHooks(hooks, () => totalMs, { clock, waits: createWaits(clock), logger })
    return { failed, lines, ms: clock.now() }
  }
  const hangs = (): Promise<void> => new Promise(() => undefined)

  it('one after the other', async () => {
    const seen: string[] = []
    const slow = (name: string) => async (): Promise<void> => {
      await Promise.resolve()
      seen.push(name)
    }
    expect((await run([hook('a', slow('a')), hook('b', slow('b'))])).failed).toEqual([])
    expect(seen).toEqual(['a', 'b'])
  })

  it('names one that throws, rejects or hangs, and runs the rest', async () => {
    const seen: string[] = []
    const { failed, lines } = await run([
      hook('throws', () => {
        throw new Error('no')
      }),
      hook('rejects', () => Promise.reject(new Error('postgres://joe:hunter2@db/x'))),
      hook('rejects with nothing', () => Promise.reject()),
      hook('hangs', hangs),
      hook('last', () => seen.push('last')),
    ])
    expect(failed).toEqual(['throws', 'rejects', 'rejects with nothing', 'hangs'])
    expect(seen).toEqual(['last'])
    expect(lines.join('\n')).toMatch(
      /hook throws failed: [\s\S]*hook hangs did not end in 1500 ms and is given up/,
    )
    expect(lines.join('\n')).not.toContain('hunter2')
  })

  it('gives each an equal share of what is left, all together no more than the whole', async () => {
    const { ms, lines } = await run([hook('a', hangs), hook('b', hangs), hook('c', hangs)])
    expect(ms).toBe(3_000)
    expect(lines.every((line) => line.includes('1000 ms'))).toBe(true)
    expect(
      (await run([hook('a', hangs, { timeoutMs: 200 }), hook('b', hangs), hook('c', hangs)])).lines,
    ).toMatchObject([
      expect.stringContaining('200 ms'),
      expect.stringContaining('1400 ms'),
      expect.stringContaining('1400 ms'),
    ])
  })

  it('runs what needs no time also where none is left', async () => {
    const seen: string[] = []
    expect((await run([hook('hangs', hangs), hook('a', () => seen.push('a'))], 0)).failed).toEqual(['hangs'])
    expect(seen).toEqual(['a'])
  })

  it('tells of one that blocks past its time', async () => {
    const clock = fastClock()
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const logger = { debug: log, info: log, warn: log, error: log }
    const blocks = hook('blocks', () => clock.skip(900))
    const failed = await runHooks([blocks, hook('next')], () => 400, {
      clock,
      waits: createWaits(clock),
      logger,
    })
    expect([failed, lines]).toEqual([[], ['drain: shutdown hook blocks took 900 ms of 200 ms']])
  })

  it('tells one whose time is over by its signal, and hears no more of it', async () => {
    let signal: AbortSignal | undefined
    let fail: (error: Error) => void = () => undefined
    const { lines } = await run([
      hook('slow', (context) => {
        signal = context.signal
        return new Promise((_, reject) => {
          fail = reject
        })
      }),
    ])
    expect(signal?.aborted).toBe(true)
    fail(new Error('late'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines).toHaveLength(1)
  })
})
