import { afterAll, describe, expect, test } from 'vitest'
import { endProcesses, startProgram } from './drain-process.ts'

afterAll(endProcesses)

describe('a script that closes its server', () => {
  const run = async (...args: string[]) => {
    const app = await startProgram('drain-script.mjs', args)
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect(app.stderr).toEqual([])
    const [, status, ms] = await app.waitForLine(/^answered (\d+), exits after (\d+) ms$/)
    return { lines: app.stdout, status, ms: Number(ms) }
  }

  test('exits by itself, though health and drain were not closed', async () => {
    const { status, ms } = await run()
    expect(status).toBe('200')
    expect(ms).toBeLessThan(300)
  })

  test('and everything else, twice, leaves no listener on process', async () => {
    const { lines, ms } = await run('everything')
    expect(ms).toBeLessThan(300)
    const { before, after } = JSON.parse(lines[0] ?? '')
    expect(after).toEqual(before)
  })
})

describe('many drains in one process', () => {
  interface Held {
    readonly heap: number
    readonly resources: number
    readonly onServer: readonly string[]
    readonly onProcess: readonly string[]
  }
  test.each([
    ['closed', 1_000],
    ['ended', 200],
  ])('that have %s leave nothing behind, after %i of them', async (kind, count) => {
    const app = await startProgram('drain-cycles.mjs', [kind, String(count)], { nodeArgs: ['--expose-gc'] })
    expect(await app.exited).toMatchObject({ code: 0 })
    expect(app.stderr).toEqual([])
    const { before, after } = JSON.parse(app.stdout[0] ?? '') as { before: Held; after: Held }
    expect(after.heap - before.heap).toBeLessThan(1_000_000)
    expect(after.resources).toBeLessThanOrEqual(before.resources)
    expect(after.onServer).toEqual(before.onServer)
    expect(after.onProcess).toEqual(before.onProcess)
  })
})
