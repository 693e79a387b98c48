import { describe, expect, it } from 'vitest'
import { HealthConfigError } from '../vocabulary/config-error.ts'
import { createProblems } from './problems.ts'
import { type Makers, readSettings } from './settings.ts'
import type { WatchdogSettings } from './watchdog.ts'

const nothing = (): void => undefined
const logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const makers: Makers = {
  databaseFromDsn: () => ({ name: 'x', run: nothing }),
  storeOfUrl: () => undefined,
  storeOfClient: () => ({}) as never,
  appName: () => 'orders',
}

function read(
  watchdog: unknown,
  env: Record<string, string> = {},
  more: object = {},
): WatchdogSettings | undefined {
  const problems = createProblems()
  const settings = readSettings({ logger, env, watchdog, ...more } as never, makers, problems)
  problems.throwIfAny()
  return settings.watchdog
}
function refusal(watchdog: unknown, env: Record<string, string> = {}): string {
  try {
    read(watchdog, env)
  } catch (error) {
    expect(error).toBeInstanceOf(HealthConfigError)
    return (error as Error).message
  }
  throw new Error('it was not refused')
}

describe('on or off', () => {
  const OFF = { BALDUR_META_WATCHDOG_ENABLED: 'false' }
  const ON = { BALDUR_META_WATCHDOG_ENABLED: 'true' }
  it.each([
    ['by itself', undefined, {}, true],
    ['the variable says off', undefined, OFF, false],
    ['the variable says on', undefined, ON, true],
    ['the option says off', false, {}, false],
    ['the option wins: off', false, ON, false],
    ['the option wins: on', true, OFF, true],
    ['an object says how, not whether', { intervalMs: 5_000 }, OFF, false],
    ['an object, and nothing else', { intervalMs: 5_000 }, {}, true],
  ])('%s', (_what, option, env, isOn) => expect(read(option, env) !== undefined).toBe(isOn))

  it('what is wrong is refused also while it is off', () => {
    expect(refusal({ timeoutMs: 1 }, OFF)).toContain('watchdog.timeoutMs')
  })
})

describe('variables', () => {
  it('are taken where there is no option', () => {
    const env = {
      BALDUR_META_WATCHDOG_PROBE_INTERVAL_SECONDS: '60',
      BALDUR_META_WATCHDOG_PROBE_TIMEOUT_SECONDS: '2.5',
      BALDUR_META_WATCHDOG_WEBHOOK_URL: 'https://hooks.example/a',
    }
    const seen = { intervalMs: 60_000, timeoutMs: 2_500, webhookUrl: 'https://hooks.example/a' }
    expect(read(undefined, env)).toMatchObject(seen)
    const webhookUrl = 'https://hooks.example/b'
    expect(read({ webhookUrl, timeoutMs: 500 }, env)).toMatchObject({ ...seen, webhookUrl, timeoutMs: 500 })
  })
})

describe('a webhook', () => {
  it.each([
    ['an option', { webhookUrl: 'https://u:%zz@hooks.example/s3cret' }, {}],
    ['a variable', undefined, { BALDUR_META_WATCHDOG_WEBHOOK_URL: 'https://u:%zz@hooks.example/s3cret' }],
    ['a variable of another protocol', undefined, { BALDUR_META_WATCHDOG_WEBHOOK_URL: 'ftp://h/s3cret' }],
  ])('whose URL cannot be used is refused and never shown: %s', (_what, option, env) => {
    const told = refusal(option, env as Record<string, string>)
    expect(told).toMatch(/watchdog\.webhookUrl|BALDUR_META_WATCHDOG_WEBHOOK_URL/)
    expect(told).not.toMatch(/s3cret|hooks\.example|zz/)
  })
})

describe('components', () => {
  it('only those of ours can be turned off', () => {
    const components = { event_loop: false, memory: false, cache: false, checks: false, pool_default: false }
    expect(read({ components })?.components).toEqual(components)
    const told = refusal({ components: { evnt_loop: false } })
    expect(told).toContain(
      'watchdog.components.evnt_loop: expected false for event_loop, memory, cache, checks or pool_<alias>',
    )
  })

  it('a status is no component, a function that gives one is', () => {
    expect(refusal({ components: { queue: 'healthy', line: true } })).toMatch(/2 settings/)
    const queue = (): 'healthy' => 'healthy'
    expect(read({ components: { queue, absent: undefined } })?.components).toEqual({ queue })
  })
})
