import { createHealth } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { rawConnection, rawRequest, until } from 'health-testkit'
import { expect, test } from 'vitest'
import { startAdmin } from './start-admin.ts'
import { adminUnderTest } from './testing/admin-under-test.ts'
import { readEvents } from './testing/event-reader.ts'

test('says where it is', async () => {
  const { admin, port } = await adminUnderTest()
  expect(admin.url).toBe(`http://127.0.0.1:${port}`)
  const six = await adminUnderTest({ host: '::1' })
  expect(six.admin.url).toBe(`http://[::1]:${six.port}`)
  expect(
    (await rawRequest({ port: six.port, host: '::1', path: '/liveness', hostHeader: `[::1]:${six.port}` }))
      .status,
  ).toBe(200)
  const all = await adminUnderTest({ host: '0.0.0.0', operatorKey: 'long-enough' })
  expect(all.admin.url).toBe(`http://127.0.0.1:${all.port}`)
})

test('is a handle that does nothing where the variable says so', async () => {
  const { admin } = await adminUnderTest({ env: { BALDUR_ADMIN_ENABLED: 'false' } })
  expect(admin.url).toBeUndefined()
  await admin.close()
})

test('a taken port is an error with the port in it, and nothing is left of the attempt', async () => {
  const { health, port } = await adminUnderTest()
  const listeners = process.listenerCount('warning')
  await expect(startAdmin({ health, port, env: {} })).rejects.toMatchObject({
    message: `admin: port ${port} on 127.0.0.1 is taken by another server (port 0 picks a free one)`,
    code: 'EADDRINUSE',
  })
  expect(process.listenerCount('warning')).toBe(listeners)
})

test('an address that is not this machine’s is an error that names it', async () => {
  const health = createHealth({ env: {}, watchdog: false })
  const started = startAdmin({ health, host: '192.0.2.7', port: 0, operatorKey: 'long-enough', env: {} })
  await expect(started).rejects.toThrow(
    /port 0 on 192\.0\.2\.7 cannot be listened on: .* does not have the address/,
  )
})

test('a wrong setting rejects with all of them', async () => {
  const started = startAdmin({ health: {}, port: -1 } as never)
  await expect(started).rejects.toThrow(/2 settings are wrong[\s\S]*health: [\s\S]*port: /)
})

test('its end closes idle connections and streams, lets what is being answered end, and comes once', async () => {
  let release = (): void => undefined
  const health = createHealth({
    env: {},
    watchdog: false,
    databases: {
      default: {
        name: 'x',
        run: () =>
          new Promise<void>((resolve) => {
            release = resolve
          }),
      },
    },
  })
  const { admin, port } = await adminUnderTest({ health })
  const idle = await rawConnection({ port })
  const busy = await rawConnection({ port })
  busy.send('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const stream = await readEvents(port)
  const closing = admin.close()
  expect(admin.close()).toBe(closing)
  expect(await idle.closed()).toBe('end')
  expect(await stream.connection.closed()).toBe('end')
  setTimeout(() => release(), 200)
  expect((await busy.read()).status).toBe(200)
  await closing
  await expect(rawRequest({ port })).rejects.toThrow(/ECONNREFUSED/)
  await health.close()
})

test('what goes on being answered for over a second is cut', async () => {
  const health = createHealth({
    env: {},
    watchdog: false,
    databases: { default: { name: 'x', run: () => new Promise<void>(() => undefined) } },
  })
  const { admin, port } = await adminUnderTest({ health })
  const busy = await rawConnection({ port })
  busy.send('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await until(() => health.snapshot().checks[0]?.runningMs)
  const began = performance.now()
  await admin.close()
  expect(performance.now() - began).toBeLessThan(2_000)
  await busy.closed()
  await health.close()
})

test('two in one process share nothing', async () => {
  const [one, two] = [await adminUnderTest(), await adminUnderTest()]
  one.database.isUp = false
  expect((await one.ask('/readiness')).status).toBe(503)
  expect((await two.ask('/readiness')).status).toBe(200)
  await one.admin.close()
  expect((await two.ask('/liveness')).status).toBe(200)
})

test('shows the requests that a drain counts', async () => {
  const drain = createDrain({ env: {} })
  let finish = (): void => undefined
  void drain.track(
    new Promise<void>((resolve) => {
      finish = resolve
    }),
    'a job',
  )
  const { port } = await adminUnderTest({ drain })
  const stream = await readEvents(port)
  expect((await stream.next(({ event }) => event === 'state')).data.in_flight).toBe(1)
  finish()
  await stream.next(({ data }) => data.in_flight === 0)
  stream.connection.close()
  drain.close()
})
