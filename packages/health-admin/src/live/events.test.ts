import { createHealth } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { rawConnection, until } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../settings/defaults.ts'
import { adminUnderTest, KEYS, OPERATOR, VIEWER } from '../testing/admin-under-test.ts'
import { readEvents } from '../testing/event-reader.ts'

describe('a stream of events', () => {
  test('begins with who one is, and has the whole state at once, then every second', async () => {
    const { port } = await adminUnderTest()
    const stream = await readEvents(port)
    expect(stream.head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(stream.head).toMatch(/content-type: text\/event-stream; charset=utf-8/i)
    const first = await stream.next(({ event }) => event === 'state')
    expect(stream.events()[0]).toEqual({ event: 'hello', data: { role: 'none' } })
    expect(first.data).toMatchObject({
      status: 'healthy',
      readiness: 'ready',
      phase: 'started',
      self_healing: true,
      checks: [{ name: 'database', status: 'healthy', recent: [{ ok: true }] }],
      instance: { pid: process.pid, version: '1.2.3' },
    })
    await until(() => stream.events().filter(({ event }) => event === 'state').length > 3)
    stream.connection.close()
  })

  test.each([
    [OPERATOR, 'operator'],
    [VIEWER, 'viewer'],
  ])('says what the holder of %s may', async (key, role) => {
    const { port } = await adminUnderTest({ ...KEYS })
    const stream = await readEvents(port, { 'X-Baldur-Admin-Key': key })
    expect((await stream.next(() => true)).data).toEqual({ role })
    stream.connection.close()
  })

  test('tells of a database that has gone, and why, though nobody else asks; and of its return', async () => {
    const { port, database } = await adminUnderTest({ ...KEYS })
    const stream = await readEvents(port, { 'X-Baldur-Admin-Key': VIEWER })
    await stream.next(({ data }) => data.status === 'healthy')
    database.isUp = false
    const ill = await stream.next(({ data }) => data.status === 'unhealthy', 3_000)
    expect(ill.data.checks[0].problem).toMatch(/^ECONNREFUSED: connection refused \(connect to db\.internal/)
    expect(JSON.stringify(ill.data)).not.toContain('hunter2')
    expect(ill.data.history).toMatchObject([{ from: 'healthy', to: 'unhealthy', cause: 'database' }])
    database.isUp = true
    await stream.next(({ data }) => data.history?.length === 2 && data.status === 'healthy', 3_000)
    stream.connection.close()
  })

  test('has a change at once, without waiting for its second', async () => {
    const { port, health } = await adminUnderTest()
    const stream = await readEvents(port)
    await stream.next(({ event }) => event === 'state')
    const seen = stream.events().length
    health.beginDrain()
    await stream.next(({ event }) => event === 'draining', 500)
    expect(stream.events().length).toBeGreaterThan(seen)
  })

  test('runs the checks once a second however many watch, and no more when nobody does', async () => {
    const { port, database } = await adminUnderTest()
    const streams = await Promise.all(Array.from({ length: 10 }, () => readEvents(port)))
    const before = database.runs
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(database.runs - before).toBeLessThanOrEqual(4)
    expect(database.runs - before).toBeGreaterThanOrEqual(2)
    for (const { connection } of streams) connection.close()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const after = database.runs
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(database.runs).toBe(after)
  })

  test('is refused beyond so many, and free again when one has gone', async () => {
    const { port, ask } = await adminUnderTest()
    const streams = await Promise.all(Array.from({ length: LIMITS.watchers }, () => readEvents(port)))
    const { status, header } = await ask('/events')
    expect([status, header('retry-after')]).toEqual([503, '5'])
    expect((await ask('/readiness')).status).toBe(200)
    streams[0]?.connection.close()
    await until(async () => (await ask('/events', { method: 'HEAD' })).status === 200)
    for (const { connection } of streams) connection.close()
  })
})

test('that our own code breaks is shown in the place of the verdict', async () => {
  const health = createHealth({ env: {}, watchdog: false })
  const broken = { status: 'error', checks: {}, causes: [] } as const
  const parts = { ...health, history: health.history, phase: health.phase, selfHealing: true }
  const { port } = await adminUnderTest({ health: { ...parts, watch: async () => broken } })
  const stream = await readEvents(port)
  const state = await stream.next(({ event }) => event === 'state')
  expect(state.data).toMatchObject({ status: 'error', checks: [] })
  stream.connection.close()
})

describe('a drain', () => {
  test('sends a last event, ends every stream and closes the port', async () => {
    const drain = createDrain({ env: {}, shutdownDelayMs: 1_000 })
    const { port, ask, admin } = await adminUnderTest({ drain })
    const stream = await readEvents(port)
    await stream.next(({ event }) => event === 'state')
    const idle = await rawConnection({ port })
    const began = drain.start('test')
    const last = await stream.next(({ event }) => event === 'draining')
    expect(last.data).toEqual({ status: 'draining', in_flight: 0, phase: 'draining' })
    expect(await stream.connection.closed()).toBe('end')
    expect(await idle.closed()).toBe('end')
    expect(stream.events().at(-1)).toEqual(last)
    await expect(ask('/liveness')).rejects.toThrow(/ECONNREFUSED/)
    await admin.close()
    await began
  })

  test('of a health alone does so too', async () => {
    const { port, health } = await adminUnderTest()
    const stream = await readEvents(port)
    await stream.next(({ event }) => event === 'state')
    health.beginDrain()
    expect(await stream.connection.closed()).toBe('end')
    expect(stream.events().at(-1)?.event).toBe('draining')
  })

  test('is served through where that is wanted, until it has ended', async () => {
    const drain = createDrain({ env: {}, shutdownDelayMs: 600 })
    const { port, ask, health } = await adminUnderTest({ drain, duringDrain: 'serve' })
    const stream = await readEvents(port)
    await stream.next(({ event }) => event === 'state')
    const ended = drain.start('test')
    health.beginDrain()
    await stream.next(({ event, data }) => event === 'state' && data.status === 'draining', 500)
    expect((await ask('/readiness')).status).toBe(503)
    expect((await ask('/liveness')).status).toBe(200)
    await ended
    expect(await stream.connection.closed()).toBe('end')
    await until(() =>
      ask('/liveness').then(
        () => false,
        () => true,
      ),
    )
  })

  test('that was given no health shows in the phase all the same', async () => {
    const drain = createDrain({ env: {}, shutdownDelayMs: 600 })
    const { port } = await adminUnderTest({ drain, duringDrain: 'serve' })
    const stream = await readEvents(port)
    await stream.next(({ event }) => event === 'state')
    const ended = drain.start('test')
    await stream.next(({ event, data }) => event === 'state' && data.phase === 'draining', 1_500)
    stream.connection.close()
    await ended
  })

  test('that has begun before leaves the server out', async () => {
    const drain = createDrain({ env: {}, preset: 'development' })
    await drain.start('early')
    const { admin } = await adminUnderTest({ drain })
    expect(admin.url).toBeUndefined()
  })
})

test('streams that stood in line behind another on a connection that has gone take no place', async () => {
  const { port, ask } = await adminUnderTest()
  for (let i = 0; i < 12; i++) {
    const connection = await rawConnection({ port })
    connection.send('GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(4))
    await until(() => connection.unread.includes('event: state'))
    connection.reset()
  }
  await until(async () => (await ask('/events', { method: 'HEAD' })).status === 200)
  const streams = await Promise.all(Array.from({ length: LIMITS.watchers }, () => readEvents(port)))
  for (const { head } of streams) expect(head).toContain('200 OK')
  for (const { connection } of streams) connection.close()
})
