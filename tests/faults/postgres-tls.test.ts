import {
  type FaultProxy,
  faultProxy,
  type PrivatePostgres,
  selfSigned,
  startPostgres,
  until,
} from 'health-testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Service, startService, TOLERANCE_MS } from './service.ts'

let postgres: PrivatePostgres
let certificate: { readonly key: string; readonly cert: string }
let proxy: FaultProxy
let service: Service | undefined

beforeAll(async () => {
  certificate = await selfSigned()
  postgres = await startPostgres({ tls: certificate })
  proxy = await faultProxy(postgres.port)
})
afterEach(async () => {
  proxy.pass()
  await service?.close()
  service = undefined
})
afterAll(async () => {
  await proxy?.close()
  await postgres?.stop()
})

const throughProxy = (): string =>
  postgres.url.replace(String(postgres.port), String(proxy.port)).replace('127.0.0.1', 'localhost')
const trusting = () => ({ ssl: { ca: certificate.cert } })

test('a warm TLS connection is one connection, made once', async () => {
  service = await startService(throughProxy(), { pool: trusting(), health: { readiness: { cacheTtlMs: 0 } } })
  for (let run = 0; run < 20; run++) expect((await service.get('/health/ready')).status).toBe(200)
  expect(proxy.opened).toBe(1)
})

test('a cold TLS connection slower than the budget and than a run still gets made', async () => {
  proxy.delay(300)
  service = await startService(throughProxy(), { pool: trusting() })
  const { get } = service
  const began = performance.now()
  const first = await get('/health/ready')
  expect(first.body.checks).toEqual({ database_default: 'timed_out' })
  expect(first.ms).toBeLessThan(500 + TOLERANCE_MS)
  await until(async () => (await get('/health/ready')).status === 200, { timeoutMs: 8_000 })
  expect(performance.now() - began).toBeGreaterThan(2_000)
  expect(proxy.open).toBe(1)
})

test('a stall in the middle of the TLS handshake is bounded, and its socket is let go', async () => {
  const opened = proxy.opened
  proxy.stallAfter(200)
  service = await startService(throughProxy(), {
    pool: trusting(),
    check: { connectTimeoutMs: 1_000 },
    health: { readiness: { cacheTtlMs: 0 } },
  })
  const { get } = service
  const answer = await get('/health/ready')
  expect([answer.status, answer.body.checks]).toEqual([503, { database_default: 'timed_out' }])
  expect(answer.ms).toBeLessThan(500 + TOLERANCE_MS)
  expect((await get('/health/pool')).body.error).toMatch(/^TIMEOUT: no connection in 1000 ms$/)
  await until(() => proxy.open === 0, { message: 'the stalled socket to be gone' })
  expect(proxy.opened - opened).toBeLessThanOrEqual(2)
})

test('a certificate that nobody trusts reads as that, without a name in it', async () => {
  service = await startService(throughProxy(), { pool: { ssl: true } })
  expect((await service.get('/health/pool')).body.error).toBe(
    'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate',
  )
})
