import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HealthConfigError } from '@baldur/health-core'
import { createProblems } from '@baldur/health-core/internal'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunnersOptions } from '../options.ts'
import { readCommand } from './read-command.ts'
import { readRunnersSettings } from './read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
for (const name of ['app.js', 'app.mjs', 'app.cjs', 'app.ts']) writeFileSync(join(folder, name), '')
mkdirSync(join(folder, 'folder.js'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (options: Partial<Record<keyof RunnersOptions, unknown>>) =>
  readRunnersSettings({ command: 'app.js', cwd: folder, env: {}, ...options } as RunnersOptions)

/** What is wrong with these options, a line each. */
function wrong(options: Partial<Record<keyof RunnersOptions, unknown>>): readonly string[] {
  try {
    read(options)
  } catch (error) {
    expect(error).toBeInstanceOf(HealthConfigError)
    return (error as HealthConfigError).problems.map(
      ({ path, expected, got }) => `${path}: ${expected}; ${got}`,
    )
  }
  return []
}

describe('the settings of runners', () => {
  it('have the numbers of the contract where nothing is said', () => {
    const { fleet, gateway, queue, drain } = read({})
    expect(fleet).toMatchObject({
      command: [process.execPath, 'app.js'],
      runners: 1,
      startTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
      killAfterMs: 5_000,
      directConcurrency: 16,
      queuedConcurrency: 1,
      replace: 'start_first',
      healthCheck: undefined,
    })
    expect(gateway).toMatchObject({
      host: '127.0.0.1',
      port: 8_080,
      prefix: '/gateway',
      requestTimeoutMs: 60_000,
    })
    expect(queue).toMatchObject({
      attempts: 10,
      backoffMs: 1_000,
      maxBackoffMs: 30_000,
      requestTimeoutMs: 60_000,
    })
    expect(drain).toEqual({ hookTimeoutMs: 6_000 })
    expect(read({ healthCheck: { path: '/health' } }).fleet.healthCheck).toEqual({
      path: '/health',
      intervalMs: 15_000,
      timeoutMs: 5_000,
      graceMs: 30_000,
      failures: 3,
    })
  })

  it.each([
    [
      ['python3', 'app.py'],
      ['python3', 'app.py'],
    ],
    ['./serve', ['./serve']],
    ['app.mjs', [process.execPath, 'app.mjs']],
    ['app.cjs', [process.execPath, 'app.cjs']],
    [['app.js'], [process.execPath, 'app.js']],
    [
      ['app.js', '--x'],
      ['app.js', '--x'],
    ],
    [join(folder, 'app.js'), [process.execPath, join(folder, 'app.js')]],
    // nobody looks for it: what it means is the program's to say
    [
      ['tsx', 'none.ts'],
      ['tsx', 'none.ts'],
    ],
  ])('the command %j runs %j', (command, words) => expect(read({ command }).fleet.command).toEqual(words))

  it('take a folder that is named from this process’s own', () => {
    expect(read({ cwd: '.', command: ['x'] }).fleet.cwd).toBe(process.cwd())
  })

  it.each<[boolean, Readonly<Record<string, string>>, boolean]>([
    [true, {}, true],
    [false, {}, false],
    // whoever loads something into every Node may well load what runs it
    [false, { NODE_OPTIONS: '--import tsx' }, true],
  ])('where Node runs TypeScript is %s, with %j, a .ts is run: %s', (runsTypeScript, env, isRun) => {
    for (const command of ['app.ts', [process.execPath, 'app.ts', '--x']]) {
      const problems = createProblems()
      readCommand(command, { cwd: folder, env, runsTypeScript }, problems)
      if (isRun) expect(problems.throwIfAny).not.toThrow()
      else
        expect(problems.throwIfAny).toThrow(
          `command: expected a script that this Node runs: ${process.version} runs no TypeScript (22.18 and 23.6 do, and later ones); build it, or name a program that does, got "app.ts" (string)`,
        )
    }
  })

  it('leave the time of the hooks to its variable where it is set, and to the option before that', () => {
    const env = { BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: '9' }
    expect(read({ env }).drain).toEqual({})
    expect(read({ env, drain: { hookTimeoutMs: 1 } }).drain).toEqual({ hookTimeoutMs: 1 })
    expect(read({ killAfterMs: 0 }).drain).toEqual({ hookTimeoutMs: 1_000 })
  })

  it('know that there is a Redis', () => {
    expect(read({}).hasRedis).toBe(false)
    expect(read({ env: { BALDUR_REDIS_URL: 'redis://127.0.0.1' } }).hasRedis).toBe(true)
  })

  it.each<[Partial<Record<keyof RunnersOptions, unknown>>, string]>([
    [{ command: undefined }, 'command: a program and its arguments'],
    [{ command: '' }, 'command: '],
    [{ command: [] }, 'command: '],
    [{ command: ['a', 1] }, 'command: '],
    [{ command: 'a\0b' }, 'command: '],
    [
      { command: 'none.js' },
      `command: a script that exists (${join(folder, 'none.js')} does not); "none.js"`,
    ],
    [{ command: ['/none.mjs'] }, 'command: a script that exists (/none.mjs does not); "/none.mjs"'],
    [{ command: [process.execPath, 'none.js', '--x'] }, 'command: a script that exists'],
    [{ command: 'folder.js' }, 'command: a script that exists'],
    [{ cwd: '/none' }, 'cwd: a folder that exists; "/none" (string)'],
    [{ cwd: join(folder, 'app.js'), command: 'x.js' }, 'cwd: a folder that exists'],
    [{ runners: -1 }, 'runners: 0 to 1000, whole; -1'],
    [{ runners: 1.5 }, 'runners: '],
    [{ runners: '2' }, 'runners: 0 to 1000, whole; "2" (string)'],
    [{ requestTimeoutMs: 0 }, 'requestTimeoutMs: 10 to 86400000 milliseconds, whole; 0'],
    [{ requestTimeoutMs: Number.NaN }, 'requestTimeoutMs: '],
    [{ host: '' }, 'host: an address'],
    [{ port: 65_536 }, 'port: '],
    [{ prefix: 'gateway' }, 'prefix: '],
    [{ prefix: '' }, 'prefix: a path of its own'],
    [{ prefix: '/queue' }, 'prefix: a path of its own'],
    [{ prefix: '/queue/x' }, 'prefix: a path of its own'],
    [{ replace: 'never' }, "replace: 'start_first' or 'stop_first'; \"never\""],
    [{ healthCheck: {} }, 'healthCheck.path: '],
    [{ healthCheck: { path: 'health' } }, 'healthCheck.path: '],
    [{ healthCheck: { path: '/h h' } }, 'healthCheck.path: '],
    [{ healthCheck: { path: '/h', interval: 1 } }, 'healthCheck.interval: '],
    [{ healthCheck: '/health' }, 'healthCheck: an object with path'],
    [{ waitingLine: { max: -1 } }, 'waitingLine.max: '],
    [{ queue: { attempts: 0 } }, 'queue.attempts: '],
    [{ queue: { backoffMs: 100, maxBackoffMs: 50 } }, 'queue.maxBackoffMs: at least queue.backoffMs (100)'],
    [{ queue: { keepHeaders: 'cookie' } }, 'queue.keepHeaders: '],
    [{ queue: { keepHeaders: ['a b'] } }, 'queue.keepHeaders: '],
    [{ queue: { keepHeaders: [7] } }, 'queue.keepHeaders: '],
    [
      { queue: { keepHeaders: ['x-tenant', 'cookie'] } },
      'queue.keepHeaders: an array of authorization, cookie, proxy-authorization; others are always kept',
    ],
    [{ queue: { store: {} } }, 'queue.store: '],
    [{ runnerEnv: { PORT: '1' } }, 'runnerEnv.PORT: '],
    [{ runnerEnv: { TOKEN: 7 } }, 'runnerEnv.TOKEN: a string without a NUL; a value of type number'],
    [{ cwd: '' }, 'cwd: '],
    [{ drain: true }, 'drain: '],
    [{ drain: { gracePeriod: 5 } }, 'drain.gracePeriod: one of'],
    [{ drain: { shutdownDelayMs: -1 } }, 'drain.shutdownDelayMs: 0 to 300000 milliseconds; -1'],
    [{ killAfterMs: 60_000 }, 'drain.gracePeriodMs: at least what the drain takes'],
    [{ env: { BALDUR_DRAIN_GRACE_PERIOD_SECONDS: 'soon' } }, 'BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '],
    [{ logger: {} }, 'logger: '],
    [{ clock: {} }, 'clock: '],
    [{ env: 'x' }, 'env: '],
    [{ runner: 2 } as never, 'runner: one of'],
    [{ env: { BALDUR_REDIS_URL: 'http://x' } }, 'BALDUR_REDIS_URL: '],
  ])('%j is refused: %s', (options, expected) => {
    const lines = wrong(options)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(expected)
  })

  it('tell everything that is wrong at once', () => {
    expect(wrong({ runners: -1, port: -1, queue: { max: 0 } })).toHaveLength(3)
  })

  it('are not what was given, which may change', () => {
    const keepHeaders = ['Cookie']
    const { queue } = read({ queue: { keepHeaders } })
    keepHeaders.push('authorization')
    expect([...queue.keepHeaders]).toEqual(['cookie'])
  })
})
