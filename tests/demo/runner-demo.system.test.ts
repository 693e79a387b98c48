import { isAlive, until } from 'health-testkit'
import { describe, expect, it } from 'vitest'
import { demoUnderTest, ORDER } from './demo-under-test.ts'

const NO_DATABASE = { DEMO_DATABASE: 'none' }

describe('runner-demo', () => {
  const demo = demoUnderTest('runner-demo')
  /** Who answers, asked so often that both have had their turn. */
  const answering = async (): Promise<ReadonlyMap<string, number>> => {
    const seen = new Map<string, number>()
    for (let turn = 0; turn < 6; turn++) {
      const { runner, pid } = (await demo.get('/')).body as { runner: string; pid: number }
      seen.set(runner, pid)
    }
    return seen
  }
  const bothAnswer = (...names: readonly string[]): Promise<ReadonlyMap<string, number>> =>
    until(
      async () => {
        const seen = await answering()
        return names.every((name) => seen.has(name)) && seen
      },
      { timeoutMs: 15_000 },
    )

  it('serves one service in two processes that share its database, and replaces one that is ill', async () => {
    const app = await demo.start({})
    const before = await bothAnswer('1.1', '2.1')
    expect(await demo.send('/orders', { method: 'POST', body: ORDER })).toMatchObject({ status: 201 })

    const ill = await demo.get('/status/503')
    const { runner } = ill.body as { runner: string }
    expect(ill.status).toBe(503)
    const [other] = [...before.keys()].filter((name) => name !== runner)
    const after = await bothAnswer(`${runner[0]}.2`, String(other))
    expect(after.has(runner)).toBe(false)
    await until(() => !isAlive(before.get(runner) ?? 0))
    for (let turn = 0; turn < 2; turn++)
      expect((await demo.get('/orders')).body).toEqual([{ id: 1, item: 'lamp' }])

    app.signal('SIGTERM')
    expect(await app.exited).toMatchObject({ code: 0, signal: null })
    expect([...after.values()].filter(isAlive)).toEqual([])
  })

  it('that cannot reach its database says 504, which ends no runner', async () => {
    await demo.start({ BALDUR_SQL_DSN: 'postgres://postgres@127.0.0.1:1/postgres' })
    const before = await bothAnswer('1.1', '2.1')
    for (let turn = 0; turn < 6; turn++) expect((await demo.get('/orders')).status).toBe(504)
    expect(await demo.send('/', { method: 'HEAD' })).toMatchObject({ status: 200 })
    expect(await answering()).toEqual(before)
  })

  it('answers in the place of a runner that dies, and another takes its place', async () => {
    await demo.start(NO_DATABASE)
    await bothAnswer('1.1', '2.1')
    const died = await demo.send('/crash')
    expect([died.status, died.header('x-baldur-error-type')]).toEqual([503, 'runner_disconnected'])
    await until(async () => [...(await answering()).keys()].some((name) => name.endsWith('.2')), {
      timeoutMs: 15_000,
    })
  })

  it('takes an order for later, and keeps its answer', async () => {
    await demo.start(NO_DATABASE)
    const accepted = await demo.get('/queue/orders', { method: 'POST', body: ORDER })
    expect(accepted.status).toBe(202)
    const { response_url } = accepted.body as { response_url: string }
    const { pathname } = new URL(response_url)
    const result = await until(async () => {
      const answer = await demo.get(pathname)
      return answer.status !== 202 && answer
    })
    expect(result).toEqual({ status: 201, body: { id: 1, item: 'lamp' } })
  })

  it('has probes of its own, which say that it leaves while a request ends', async () => {
    const app = await demo.start(NO_DATABASE)
    await bothAnswer('1.1', '2.1')
    expect((await demo.send('/api/baldur/health/ready')).status).toBe(200)
    const slow = demo.get('/slow?ms=1000')
    await demo.get('/')
    app.signal('SIGTERM')
    await until(async () => (await demo.send('/api/baldur/health/ready')).status === 503)
    expect(await slow).toMatchObject({ status: 200, body: { waited_ms: 1_000 } })
    expect(await app.exited).toMatchObject({ code: 0 })
  })

  it('leaves nothing behind when it is killed', async () => {
    const app = await demo.start(NO_DATABASE)
    const pids = [...(await bothAnswer('1.1', '2.1')).values()]
    app.signal('SIGKILL')
    await app.exited
    await until(() => !pids.some(isAlive), { timeoutMs: 10_000 })
  })

  it('names a port that is none, and does not start', async () => {
    expect(await demo.refusal({ PORT: 'http' })).toContain('PORT: expected 0 to 65535, got "http"')
  })
})
