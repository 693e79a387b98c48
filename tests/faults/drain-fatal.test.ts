import { afterAll, describe, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, get, QUICK, startService } from './drain-process.ts'

afterAll(endProcesses)

const LISTENERS = { SIGTERM: 1, SIGINT: 1, uncaughtException: 0, unhandledRejection: 0, message: 0 }
/** After an uncaught error a process is given no longer than this. */
const FATAL_MS = 5_000
const HOOKS = [['pool', 'ok']] as const

describe.concurrent('an uncaught error', () => {
  test('is node’s own affair unless it was asked for: its stack, its exit code, no listener of ours', async () => {
    const app = await startService({ hooks: HOOKS })
    expect(JSON.parse((await app.get('/counts')).body)).toEqual(LISTENERS)
    const began = performance.now()
    await app.get('/throw?ms=20')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(performance.now() - began).toBeLessThan(EXIT_MS)
    expect(app.stderr.join('\n')).toMatch(
      /^\s+throw new Error\([\s\S]*Error: thrown after 20\n\s+at [\s\S]*Node\.js v/m,
    )
    expect(app.stdout).not.toContain('hook pool')
  })

  test('that is a rejection, likewise', async () => {
    const app = await startService()
    await app.get('/reject').catch(() => undefined)
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(app.stderr.join('\n')).toMatch(/ERR_UNHANDLED_REJECTION[\s\S]*Node\.js v/)
  })

  test('drains where it was asked for: requests end, hooks run, its stack is told, and the exit code is 1', async () => {
    const app = await startService({ signals: { fatal: true }, hooks: HOOKS })
    expect(JSON.parse((await app.get('/counts')).body)).toEqual({
      ...LISTENERS,
      uncaughtException: 1,
      unhandledRejection: 1,
    })
    const slow = await app.sent(get('/slow?ms=700'))
    await app.get('/throw?ms=20')
    await app.waitForLine(/^drains/)
    const began = performance.now()
    expect((await slow.read()).body).toBe('waited 700')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(performance.now() - began).toBeLessThan(QUICK.shutdownDelayMs + 700 + EXIT_MS)
    expect(app.stdout).toContain('hook pool')
    expect(app.stderr.join('\n')).toMatch(/Error: thrown after 20\n\s+at fail .*drain-routes\.mjs/)
  })

  test('is told with its cause, as node tells it', async () => {
    const app = await startService({ signals: { fatal: true } })
    await app.get('/throw?ms=20')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(app.stderr.join('\n')).toMatch(
      /Error: thrown after 20\n[\s\S]*cause\W+Error: the cause of it\n\s+at /,
    )
  })

  test('that is a rejection with no Error is told as it is', async () => {
    const app = await startService({ signals: { fatal: true }, hooks: HOOKS })
    await app.get('/reject')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(app.stderr.join('\n')).toContain('a rejection that is no Error')
    expect(app.stdout).toContain('hook pool')
  })

  test('followed by another one exits at once, both told', async () => {
    const app = await startService({
      drain: { shutdownDelayMs: 2_000 },
      signals: { fatal: true },
      hooks: HOOKS,
    })
    await app.sent(get('/hang'))
    const began = performance.now()
    await app.get('/throw?ms=20')
    await app.waitForLine(/^drains/)
    await app.get('/throw?ms=21')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(performance.now() - began).toBeLessThan(EXIT_MS)
    expect(app.stderr.join('\n')).toMatch(/thrown after 20[\s\S]*thrown after 21/)
    expect(app.stdout).not.toContain('hook pool')
  })

  test('in a drain that a signal began makes its exit code 1', async () => {
    const app = await startService({ signals: { fatal: true }, hooks: HOOKS })
    await app.sent(get('/slow?ms=700'))
    await app.drain()
    await app.get('/throw?ms=20')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(app.stdout).toContain('answered /slow')
    expect(app.stdout).toContain('hook pool')
  })

  test('in a drain that is under way leaves it 5 s: what runs is aborted and named, and hooks run', async () => {
    const usual = { shutdownDelayMs: undefined, requestTimeoutMs: undefined, hookTimeoutMs: undefined }
    const hooks = [['hangs', 'hang'] as const, ...HOOKS]
    const app = await startService({ drain: usual, signals: { fatal: true }, hooks })
    await app.sent(get('/hang?token=secret'))
    await app.drain()
    const began = performance.now()
    await app.get('/throw?ms=20')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(performance.now() - began).toBeLessThan(FATAL_MS + EXIT_MS)
    expect(app.stdout).toContain('hook pool')
    expect(app.stderr.join('\n')).toMatch(
      /aborted 1 still running after \d+ ms: GET \/hang\n[\s\S]*hook hangs did not end/,
    )
    expect(app.stderr.join('\n')).not.toContain('secret')
  })

  test('in a request, which has no answer then, leaves time for the hooks, with the durations that are usual', async () => {
    const usual = { shutdownDelayMs: undefined, requestTimeoutMs: undefined, hookTimeoutMs: undefined }
    const app = await startService({ drain: usual, signals: { fatal: true }, hooks: HOOKS })
    const began = performance.now()
    const asked = app.get('/throw-here').catch((error: Error) => error.message)
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(performance.now() - began).toBeLessThan(FATAL_MS + EXIT_MS)
    expect(await asked).toContain('came before a response')
    expect(app.stderr.join('\n')).toContain('thrown while answering')
    expect(app.stdout).toContain('hook pool')
  })

  test('without an exit of ours ends the process by itself, and does not hold it', async () => {
    const app = await startService({ signals: { fatal: true, exit: false } })
    const began = performance.now()
    await app.get('/throw?ms=20')
    expect(await app.exited).toMatchObject({ code: 1, signal: null })
    expect(performance.now() - began).toBeLessThan(QUICK.shutdownDelayMs + QUICK.lingerMs + EXIT_MS)
  })
})
