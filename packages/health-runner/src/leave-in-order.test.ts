import type { Drain } from '@baldur/health-drain'
import { expect, it } from 'vitest'
import { leaveInOrder } from './leave-in-order.ts'

type Hook = Parameters<Drain['onShutdown']>[1]
const counts = { waiting: 0, running: 0, completed: 9, unfetched: 3, retried: 0 }
const request = { id: 'id1', method: 'POST', target: '/work' }

/** What is said when the drain comes to its end, with what the queue holds then. */
async function saidAtEnd(holds: {
  readonly left?: readonly (typeof request)[]
  readonly unfetched?: number
  readonly isDurable?: boolean
}): Promise<readonly string[]> {
  const { left = [], unfetched = 0, isDurable = false } = holds
  const said: string[] = []
  const hooks = new Map<string, Hook>()
  const note = (level: string) => (line: string) => void said.push(`${level}: ${line}`)
  const drain = {
    signal: new AbortController().signal,
    track: <Result>(work: Result) => work,
    onShutdown: (name: string, hook: Hook) => hooks.set(name, hook),
  } as unknown as Drain
  const queue = {
    stopAccepting: () => undefined,
    idle: async () => undefined,
    unfinished: async () => left,
    counts: async () => (isDurable ? Promise.reject(new Error('nobody may ask')) : { ...counts, unfetched }),
    close: async () => void said.push('closed'),
  }
  leaveInOrder(drain, {
    queue,
    fleet: { stop: async () => undefined },
    gateway: { close: () => undefined },
    isDurable,
    logger: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  })
  await (hooks.get('queue') as () => Promise<void>)()
  return said
}

it('says nothing where all was finished and fetched', async () => {
  expect(await saidAtEnd({})).toEqual(['closed'])
})

it('warns of results that are lost since nobody has fetched them', async () => {
  expect(await saidAtEnd({ unfetched: 3 })).toEqual([
    'warn: the queue has finished; results that nobody has fetched were in memory and are lost: 3',
    'closed',
  ])
})

it('says it beside the requests that have no result', async () => {
  expect(await saidAtEnd({ left: [request], unfetched: 3 })).toEqual([
    'error: 1 queued requests without a result were in memory and are lost: id1 POST /work; so are results that nobody has fetched: 3',
    'closed',
  ])
})

it('does not ask where they are kept for others', async () => {
  expect(await saidAtEnd({ isDurable: true })).toEqual(['closed'])
  expect(await saidAtEnd({ left: [request], isDurable: true })).toEqual([
    'error: 1 queued requests without a result are left in the queue for others: id1 POST /work',
    'closed',
  ])
})
