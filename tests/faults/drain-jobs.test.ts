import { afterAll, describe, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, startProgram } from './drain-process.ts'

afterAll(endProcesses)

describe.concurrent('a worker without a server', () => {
  const start = (config: object) =>
    startProgram('drain-worker.mjs', [JSON.stringify(config)], { readyPattern: /^working$/ })

  test('takes no more work, ends what it has, runs its hooks, and exits with 0, with no delay for a balancer', async () => {
    const app = await start({ jobs: [['import 7', 700]], poll: true })
    await expect.poll(() => app.stdout.length).toBe(1)
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([0, null])
    expect(sinceSignalMs).toBeLessThan(700 + EXIT_MS)
    expect(app.stdout.map((line) => line.replace(/took (some|none)/, 'took'))).toEqual([
      'working',
      'drains, phase draining, took',
      'did import 7',
      'hook connection',
      'exit 0',
    ])
    expect(app.stderr).toEqual([])
  })

  test('with nothing to do exits at once', async () => {
    const app = await start({})
    app.signal('SIGTERM')
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeLessThan(EXIT_MS / 2)
  })

  test('that has a health waits for its delay, since somebody may ask for it', async () => {
    const app = await start({ hasHealth: true, drain: { shutdownDelayMs: 700 } })
    app.signal('SIGTERM')
    const { code, sinceSignalMs } = await app.exited
    expect(code).toBe(0)
    expect(sinceSignalMs).toBeGreaterThan(700)
    expect(sinceSignalMs).toBeLessThan(700 + EXIT_MS)
  })

  test('whose job fails tells of it, and waits for the others', async () => {
    const jobs = [
      ['import 7', 100, true],
      ['import 8', 300],
    ]
    const app = await start({ jobs })
    app.signal('SIGTERM')
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.stderr).toEqual([expect.stringMatching(/import 7 failed: Error: no such file/)])
    expect(app.stdout).toContain('did import 8')
  })

  test('with a job over its time names its label and exits with 1, hooks run', async () => {
    const jobs = [
      ['import 7', 60_000],
      ['a small one', 100],
    ]
    const app = await start({ jobs, drain: { requestTimeoutMs: 500 } })
    app.signal('SIGTERM')
    const { code, signal, sinceSignalMs } = await app.exited
    expect([code, signal]).toEqual([1, null])
    expect(sinceSignalMs).toBeGreaterThan(500)
    expect(sinceSignalMs).toBeLessThan(500 + EXIT_MS)
    expect(app.stderr).toEqual([expect.stringMatching(/aborted 1 still running after 500 ms: import 7$/)])
    expect(app.stdout).toContain('did a small one')
    expect(app.stdout.slice(-2)).toEqual(['hook connection', 'exit 1'])
  })
})

describe.concurrent('a child with a channel to its parent', () => {
  const outcome = async (way: string): Promise<{ lines: readonly string[]; ms: number }> => {
    const app = await startProgram('drain-parent.mjs', [way])
    const { ms } = await app.exited
    expect(app.stderr).toEqual([])
    return { lines: app.stdout, ms }
  }

  test('drains on the message shutdown, and exits with 0', async () => {
    const { lines } = await outcome('works, shutdown')
    expect(lines.slice(0, 2)).toEqual(['drains, the drain has begun (shutdown message)', 'hook pool'])
    expect(lines[2]).toMatch(/^the child ended with 0 null/)
  })

  test('drains once, however often it is told, and whatever signal follows', async () => {
    const { lines } = await outcome('works, shutdown twice and a signal')
    expect(lines.filter((line) => line === 'hook pool')).toHaveLength(1)
    expect(lines.at(-1)).toMatch(/^the child ended with 0 null/)
  })

  test('takes the first signal after it for the first, not for a second one', async () => {
    const { lines } = await outcome('works, shutdown and a signal later')
    expect(lines).toContain('hook pool')
    expect(lines.at(-1)).toMatch(/^the child ended with 0 null/)
  })

  test('takes no other message for it', async () => {
    expect((await outcome('works, another message')).lines).toEqual([
      expect.stringMatching(/^the child ended with null SIGKILL/),
    ])
  })

  test('ends by itself when its work is done', async () => {
    expect((await outcome('is done')).lines).toEqual([
      'work is done',
      expect.stringMatching(/^the child ended with 0 null/),
    ])
  })

  test('hears shutdown all the same while it works', async () => {
    const { lines } = await outcome('is done, shutdown')
    expect(lines[0]).toMatch(/^drains/)
    expect(lines.at(-1)).toMatch(/^the child ended with 0 null/)
  })

  test.each(['own listener before', 'own listener after', 'taken off'])(
    'lives on for a listener of its own, as without a drain (%s)',
    async (way) => {
      expect((await outcome(way)).lines).toEqual([
        'the child heard hello',
        'the child ended with 0 null, connected: false',
      ])
    },
  )
})
