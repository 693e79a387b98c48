import { describe, expect, it } from 'vitest'
import { systemClock } from '../machinery/clock.ts'
import type { SharedStore } from '../vocabulary/store.ts'
import { createProblems } from './problems.ts'
import { namespaceOf, readShare, type Share } from './share.ts'

const run = (): Promise<never> => Promise.reject(new Error('not asked'))
const store: SharedStore = { read: run, claim: run, write: run }
const client = { status: 'ready', eval: run, set: run }

interface Read {
  readonly share: Share | undefined
  /** What stores were made of. */
  readonly made: unknown[]
  readonly problems: string | undefined
  readonly lines: string[]
}

function read(
  options: {
    readonly top?: object
    readonly verdict?: object
    readonly env?: Readonly<Record<string, string>>
  } = {},
  outside: { readonly name?: string | undefined; readonly isInstalled?: boolean } = {},
): Read {
  const { name, isInstalled = true } = { name: 'app', ...outside }
  const problems = createProblems()
  const made: unknown[] = []
  const lines: string[] = []
  const make = (of: unknown): SharedStore => {
    made.push(of)
    return store
  }
  const variables = new Map(Object.entries(options.env ?? {}))
  const share = readShare(
    {
      top: { ...options.top },
      verdict: { ...options.verdict },
      variables,
      clock: systemClock,
      logger: { warn: (line) => lines.push(line) },
    },
    namespaceOf({ top: { ...options.top }, variables }, () => name),
    {
      storeOfClient: make,
      storeOfUrl: (url) => (isInstalled ? make(url) : undefined),
    },
    problems,
  )
  let told: string | undefined
  try {
    problems.throwIfAny()
  } catch (error) {
    told = (error as Error).message
  }
  return { share, made, problems: told, lines }
}

/** User and password as a driver decodes them; with a real one: tests/faults/redis-credentials.system.test.ts. */
function loginOf(url: unknown): readonly string[] {
  const { username, password } = new URL(String(url))
  return [username, password].map(decodeURIComponent)
}

describe('where results are shared', () => {
  it('is nowhere by default', () => expect(read()).toMatchObject({ share: undefined, made: [], lines: [] }))

  it('is the Redis of the client that is given, else of the URL; a store of one’s own wins', () => {
    const env = { BALDUR_REDIS_URL: 'redis://cache:6379/2' }
    expect(read({ env }).made).toEqual(['redis://cache:6379/2'])
    expect(read({ env, top: { redis: client } }).made).toEqual([client])
    const own = { ...store }
    const found = read({ env, verdict: { store: own } })
    expect([found.made, found.share?.store]).toEqual([[], own])
  })

  it.each([
    ['redis://h', { BALDUR_REDIS_PASSWORD: 'p@ss/w:rd' }, 'redis://:p%40ss%2Fw%3Ard@h'],
    ['rediss://a:b@h:1/3', { BALDUR_REDIS_USERNAME: 'joe' }, 'rediss://joe:b@h:1/3'],
    ['redis://a:b@h', { BALDUR_REDIS_USERNAME: 'joe', BALDUR_REDIS_PASSWORD: 'x' }, 'redis://joe:x@h'],
  ])('%s takes user and password from their variables', (url, env, complete) => {
    expect(read({ env: { BALDUR_REDIS_URL: url, ...env } }).made).toEqual([complete])
  })

  it.each([
    ['100%sure'],
    ['a%41b'],
    ['%'],
    ['%zz%25'],
    ['a@b:c/d?e#f[g] "h\'i\\j`'],
    ['tab\tand\nline'],
    ['päss😀'],
  ])('a driver decodes the text of the variables to what it was: %j', (text) => {
    const env = { BALDUR_REDIS_USERNAME: text, BALDUR_REDIS_PASSWORD: text }
    const [url] = read({ env: { BALDUR_REDIS_URL: 'redis://joe:x@h:1/3', ...env } }).made
    expect(String(url)).toMatch(/@h:1\/3$/)
    expect(loginOf(url)).toEqual([text, text])
  })

  it('what the URL holds escaped stays so beside a variable', () => {
    const env = { BALDUR_REDIS_URL: 'redis://joe:a%2541%40@h', BALDUR_REDIS_USERNAME: 'j%' }
    expect(loginOf(read({ env }).made[0])).toEqual(['j%', 'a%41@'])
  })

  it('a client and a store together are refused, and so is a URL without the package', () => {
    expect(read({ top: { redis: client }, verdict: { store } }).problems).toContain(
      'redis: expected no verdict.store',
    )
    const env = { BALDUR_REDIS_URL: 'redis://joe:hunter2@h' }
    const { problems } = read({ env }, { isInstalled: false })
    expect(problems).toContain('BALDUR_REDIS_URL: expected the package ioredis to be installed, got none')
    expect(problems).not.toContain('hunter2')
  })
})

describe('the namespace', () => {
  const env = { BALDUR_NAMESPACE: 'of-variable' }
  it.each([
    [{ top: { redis: client } }, 'app'],
    [{ top: { redis: client }, env }, 'of-variable'],
    [{ top: { redis: client, namespace: 'of-option' }, env }, 'of-option'],
  ])('%#: the option, else the variable, else the app’s name', (options, namespace) => {
    expect(read(options).share?.namespace).toBe(namespace)
  })

  it('without any, nothing is shared, and a warning says why', () => {
    const { share, problems, lines } = read({ top: { redis: client } }, { name: undefined })
    expect([share, problems]).toEqual([undefined, undefined])
    expect(lines).toEqual([expect.stringContaining('set BALDUR_NAMESPACE')])
  })
})
