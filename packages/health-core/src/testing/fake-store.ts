import type { ManualClock } from '../machinery/manual-clock.ts'
import type { SharedStore } from '../vocabulary/store.ts'

/** A shared store in memory, whose clock is the test's and whose behaviour a test sets. */
export interface FakeStore extends SharedStore {
  /** Questions asked so far, by name. */
  readonly asked: Readonly<Record<'read' | 'claim' | 'write', number>>
  readonly outstanding: number
  /** The most that were ever outstanding at once. */
  readonly most: number
  readonly isClosed: boolean
  /** What is there, by key. */
  readonly entries: Map<string, { text: string; until: number }>
  /** What the questions named do from now on; `'work'` is the start. A hanging one goes on with `release`. */
  behave(how: 'work' | 'hang' | 'refuse', which?: readonly ('read' | 'claim' | 'write')[]): void
  release(): void
}

export function fakeStore(clock: ManualClock): FakeStore {
  const entries = new Map<string, { text: string; until: number }>()
  const claims = new Map<string, { token: string; at: number; until: number }>()
  const asked = { read: 0, claim: 0, write: 0 }
  const how: Record<keyof typeof asked, 'work' | 'hang' | 'refuse'> = {
    read: 'work',
    claim: 'work',
    write: 'work',
  }
  let waiting: (() => void)[] = []
  let outstanding = 0
  let most = 0
  let isClosed = false

  const question = async <T>(name: keyof typeof asked, answer: () => T): Promise<T> => {
    asked[name] += 1
    outstanding += 1
    most = Math.max(most, outstanding)
    try {
      if (how[name] === 'refuse') throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      if (how[name] === 'hang') await new Promise<void>((resolve) => waiting.push(resolve))
      return answer()
    } finally {
      outstanding -= 1
    }
  }
  const store: SharedStore = {
    read: (key) =>
      question('read', () => {
        const entry = entries.get(key)
        if (entry === undefined || entry.until <= clock.now()) return undefined
        return { text: entry.text, remainingMs: entry.until - clock.now() }
      }),
    claim: (key, { token, forMs }) =>
      question('claim', () => {
        const held = claims.get(key)
        if (held !== undefined && held.until > clock.now()) return false
        claims.set(key, { token, at: clock.now(), until: clock.now() + forMs })
        return true
      }),
    write: (key, { token }, text, lifeMs) =>
      question('write', () => {
        const held = claims.get(key)
        if (held?.token !== token || held.until <= clock.now()) return
        entries.set(key, { text, until: held.at + lifeMs })
        claims.delete(key)
      }),
    close: async () => {
      isClosed = true
    },
  }
  const more = {
    asked,
    entries,
    behave: (what: 'work' | 'hang' | 'refuse', which = ['read', 'claim', 'write'] as const) => {
      for (const name of which) how[name] = what
    },
    release: () => {
      const those = waiting
      waiting = []
      for (const resolve of those) resolve()
    },
  }
  return Object.defineProperties(
    { ...store, ...more },
    {
      outstanding: { get: () => outstanding },
      most: { get: () => most },
      isClosed: { get: () => isClosed },
    },
  ) as unknown as FakeStore
}
