import { createHealth } from '@baldur/health-core'
import { rawConnection } from 'health-testkit'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../rules/route.ts'
import { adminUnderTest, KEYS, OPERATOR, VIEWER } from '../testing/admin-under-test.ts'

const own = (key: string) => ({ 'X-Baldur-Admin-Key': key })
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const CLOSED = ['/health', '/metrics', '/events', '/explain']
const OPEN = ['/', '/liveness', '/readiness', '/startup', '/health/pool', '/health/ping']

describe('the paths', () => {
  test('answer as the endpoints of the service do', async () => {
    const { ask, database } = await adminUnderTest()
    expect((await ask('/liveness')).body).toBe('{"status":"alive"}')
    expect((await ask('/readiness')).body).toBe('{"status":"ready","checks":{"database_default":"ready"}}')
    expect((await ask('/startup')).body).toBe('{"status":"started"}')
    expect((await ask('/health/ping')).body).toBe('{"ping":"pong","status":"alive"}')
    expect(JSON.parse((await ask('/health/pool')).body)).toMatchObject({ status: 'healthy' })
    expect(JSON.parse((await ask('/health')).body)).toMatchObject({
      status: 'healthy',
      checks: { database: 'healthy' },
    })
    database.isUp = false
    const sick = await ask('/health?nocache=true')
    expect([sick.status, JSON.parse(sick.body).status]).toEqual([503, 'unhealthy'])
  })

  test.each(Object.keys(ROUTES))('%s says what else may be asked of it', async (path) => {
    const { ask } = await adminUnderTest()
    const { status, header } = await ask(path, { method: 'DELETE' })
    expect([status, header('allow')]).toEqual([405, ROUTES[path]?.methods.join(', ')])
  })

  test.each(['/', '/liveness', '/metrics', '/explain', '/health', '/events'])(
    'HEAD of %s has the headers of GET and no body',
    async (path) => {
      const { ask } = await adminUnderTest()
      const head = await ask(path, { method: 'HEAD' })
      expect([head.status, head.body]).toEqual([200, ''])
      expect(head.header('content-type')).toMatch(/^(text|application)\//)
    },
  )

  test('what no path is is not found, and nothing of it is repeated', async () => {
    const { ask } = await adminUnderTest()
    for (const path of [
      '/../../etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/metrics/../../x',
      '/%0d%0aSet-Cookie:a=b',
      'http://evil.example/metrics',
    ]) {
      const { status, body, raw } = await ask(path)
      expect([status, body]).toEqual([404, '{"status":"not_found"}\n'])
      expect(raw).not.toMatch(/cookie|evil|passwd/i)
    }
  })

  test('every answer may be neither kept, nor guessed at, nor read by a page of another origin', async () => {
    const { ask } = await adminUnderTest({ ...KEYS })
    for (const path of [...OPEN, ...CLOSED, '/nowhere']) {
      const { header } = await ask(path)
      expect([path, header('cache-control'), header('x-content-type-options')]).toEqual([
        path,
        'no-store',
        'nosniff',
      ])
      expect(header('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})

describe('with keys', () => {
  test('what is open stays open, and everything else needs one of them', async () => {
    const { ask } = await adminUnderTest({ ...KEYS })
    for (const path of OPEN) expect([path, (await ask(path)).status]).toEqual([path, 200])
    for (const path of CLOSED) {
      const request = (headers: Record<string, string>) => ask(path, { method: 'HEAD', headers })
      const codes = [{}, own('wrong-key'), own(VIEWER), bearer(VIEWER), own(OPERATOR), bearer(OPERATOR)]
      const got = await Promise.all(codes.map(async (headers) => (await request(headers)).status))
      expect([path, ...got]).toEqual([path, 401, 401, 200, 200, 200, 200])
    }
  })

  test('no key and a wrong one are alike byte for byte, but for the date', async () => {
    const { ask } = await adminUnderTest({ ...KEYS })
    const bytes = async (path: string, headers: Record<string, string>, method = 'GET') =>
      (await ask(path, { method, headers })).raw.replace(/\r\nDate: [^\r]*/, '')
    for (const path of CLOSED) {
      const none = await bytes(path, {})
      expect(none).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
      expect(none).toMatch(/\r\nwww-authenticate: Bearer\r\n/i)
      const long = 'x'.repeat(4_000)
      for (const headers of [
        own('wrong-key'),
        own(''),
        own(long),
        bearer('wrong-key'),
        bearer(''),
        { Authorization: 'Basic YTpi' },
      ]) {
        expect(await bytes(path, headers)).toBe(none)
      }
    }
    expect(await bytes('/control', own('wrong-key'), 'POST')).toBe(await bytes('/control', {}, 'POST'))
  })

  test('drivers’ words, secrets masked, are for callers with a key alone', async () => {
    const { ask, database } = await adminUnderTest({ ...KEYS })
    database.isUp = false
    const { body } = await ask('/health', { headers: own(VIEWER) })
    expect(JSON.parse(body)).toMatchObject({
      status: 'unhealthy',
      problems: { database: expect.stringContaining('connect to db.internal failed') },
    })
    expect(body).not.toContain('hunter2')
    const open = await ask('/health/pool')
    expect(JSON.parse(open.body).error).toBe('ECONNREFUSED: connection refused')
    const pool = await ask('/health/pool', { headers: bearer(OPERATOR) })
    expect(JSON.parse(pool.body).error).toContain('db.internal')
    expect((await ask('/readiness')).body).not.toContain('db.internal')
  })

  test('without keys nobody reads them', async () => {
    const { ask, database } = await adminUnderTest()
    database.isUp = false
    const { body } = await ask('/health', { headers: own('any-key-at-all') })
    expect(body).not.toMatch(/db\.internal|problems/)
  })
})

describe('the gate', () => {
  test('asks for host, origin, path, method, key, role and body in this order', async () => {
    const { ask } = await adminUnderTest({ ...KEYS })
    const foreign = { hostHeader: 'evil.example' }
    const origin = { Origin: 'http://evil.example' }
    const at = async (path: string, request: Parameters<typeof ask>[1]) => {
      const { status, body } = await ask(path, request)
      return [status, JSON.parse(body).detail?.slice(0, 20)]
    }
    const body = 'nonsense'
    const method = 'POST'
    expect(await at('/nowhere', { ...foreign, method, headers: origin })).toEqual([
      403,
      'expected one Host he',
    ])
    expect(await at('/nowhere', { method, headers: origin })).toEqual([403, 'a page of another or'])
    expect(await at('/nowhere', { method, body })).toEqual([404, undefined])
    expect(await at('/metrics', { method, body })).toEqual([405, undefined])
    expect(await at('/control', { method, body })).toEqual([401, undefined])
    expect(await at('/control', { method, body, headers: own(VIEWER) })).toEqual([
      403,
      'this needs the opera',
    ])
    expect(await at('/control', { method, body, headers: own(OPERATOR) })).toEqual([
      400,
      'the body has to be {',
    ])
  })

  test('holds for what is open too, whatever key is shown', async () => {
    const { ask } = await adminUnderTest({ ...KEYS, allowedHosts: ['admin.example.com'] })
    for (const path of [...OPEN, ...CLOSED]) {
      const headers = own(OPERATOR)
      const foreign = await ask(path, { hostHeader: 'evil.example', headers })
      const page = await ask(path, { headers: { ...headers, Origin: 'http://evil.example' } })
      const sandboxed = await ask(path, { headers: { ...headers, Origin: 'null' } })
      expect([path, foreign.status, page.status, sandboxed.status]).toEqual([path, 403, 403, 403])
    }
    const allowed = await ask('/liveness', { hostHeader: 'admin.example.com' })
    expect(allowed.status).toBe(200)
  })

  test('a request without a Host, as HAProxy sends it by default, gets the open paths and no others', async () => {
    const { ask } = await adminUnderTest()
    for (const httpVersion of ['1.0', '1.1'] as const) {
      const bare = { hostHeader: false as const, httpVersion }
      const statuses = []
      for (const path of ['/liveness', '/readiness', '/health', '/metrics', '/control', '/nowhere'])
        statuses.push((await ask(path, bare)).status)
      expect(statuses).toEqual([200, 200, 403, 403, 403, 403])
    }
  })

  test('refuses a request with two Host headers', async () => {
    const { ask } = await adminUnderTest()
    const two = await ask('/liveness', {
      headers: [
        ['Host', '127.0.0.1'],
        ['Host', '127.0.0.1'],
      ],
    })
    expect([two.status, two.body]).toEqual([403, expect.stringContaining('BALDUR_ADMIN_ALLOWED_HOSTS')])
  })

  test('sees every header, however many there are', async () => {
    const { port, health } = await adminUnderTest({ ...KEYS })
    const fillers = 'a:\r\n'.repeat(1_500)
    const send = async (head: string, last: string): Promise<number> => {
      const connection = await rawConnection({ port })
      connection.send(
        `${head}Host: 127.0.0.1\r\nX-Baldur-Admin-Key: ${OPERATOR}\r\n${fillers}${last}\r\n\r\n`,
      )
      const { status } = await connection.read()
      connection.close()
      return status
    }
    expect(await send('GET /explain HTTP/1.1\r\n', 'Host: evil.example')).not.toBe(200)
    expect(await send('GET /explain HTTP/1.1\r\n', 'Origin: http://evil.example')).not.toBe(200)
    const control = 'POST /control HTTP/1.1\r\nContent-Length: 17\r\n'
    expect(await send(control, 'Origin: http://evil.example\r\n\r\n{"enabled":false}')).not.toBe(200)
    expect(health.selfHealing).toBe(true)
  })

  test('comes before an expectation that nobody can meet, and a length that is too much', async () => {
    const { ask } = await adminUnderTest({ ...KEYS })
    const expectation = { Expect: 'a miracle' }
    const foreign = await ask('/liveness', { hostHeader: 'evil.example', headers: expectation })
    expect([foreign.status, foreign.header('cache-control')]).toEqual([403, 'no-store'])
    expect((await ask('/liveness', { headers: expectation })).status).toBe(200)
    const headers = { ...own(OPERATOR), Expect: '100-continue', 'Content-Length': '999999' }
    const long = await ask('/control', { method: 'POST', headers })
    expect([long.status, long.informational]).toEqual([413, []])
  })

  test('lets a page of its own origin in', async () => {
    const { ask, port } = await adminUnderTest()
    const headers = { Origin: `http://127.0.0.1:${port}` }
    expect((await ask('/explain', { headers })).status).toBe(200)
  })
})

describe('the switch', () => {
  const turn = (text: string) => ({ method: 'POST', body: text, headers: own(OPERATOR) })

  test('is turned by the operator, shows in /health, and leaves a line', async () => {
    const { ask, health, lines } = await adminUnderTest({ ...KEYS })
    const off = await ask('/control', turn('{"enabled":false}'))
    expect([off.status, off.body]).toEqual([200, '{"enabled":false}\n'])
    expect(health.selfHealing).toBe(false)
    expect(JSON.parse((await ask('/health', { headers: own(VIEWER) })).body).baldur_enabled).toBe(false)
    await ask('/control/', turn(' { "enabled" : true } '))
    expect(health.selfHealing).toBe(true)
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
      'warn: admin: self-healing turned off by the operator key from 127.0.0.1 (it was on)',
      'warn: admin: self-healing turned on by the operator key from 127.0.0.1 (it was off)',
    ])
  })

  test.each([
    '',
    '{}',
    'null',
    '[]',
    'true',
    '{"enabled":"false"}',
    '{"enabled":0}',
    '{"enabled":null}',
    '{"enabled":false,"also":1}',
    '{"enabled":false',
    '{"Enabled":false}',
    '{"enabled":false}{"enabled":true}',
    '{"__proto__":{"enabled":false}}',
    '\u0000',
  ])('%j turns nothing, and says what is allowed', async (text) => {
    const { ask, health } = await adminUnderTest({ ...KEYS })
    const { status, body } = await ask('/control', turn(text))
    expect([status, JSON.parse(body).detail]).toEqual([
      400,
      'the body has to be {"enabled":true} or {"enabled":false}',
    ])
    expect(health.selfHealing).toBe(true)
  })

  test('takes no long body, whether its length is told or not, and reads no more of it', async () => {
    const { ask, port, health } = await adminUnderTest({ ...KEYS })
    const long = `{"enabled":false${' '.repeat(5_000)}}`
    const told = await ask('/control', turn(long))
    expect([told.status, told.header('connection')]).toEqual([413, 'close'])
    const connection = await rawConnection({ port })
    const head = `POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baldur-Admin-Key: ${OPERATOR}\r\n`
    connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    for (let i = 0; i < 5; i++) connection.send(`400\r\n${' '.repeat(1_024)}\r\n`)
    expect((await connection.read()).status).toBe(413)
    connection.close()
    expect(health.selfHealing).toBe(true)
  })

  test('asks for the rest of a request that waits to be told, and only where it wants it', async () => {
    const { port } = await adminUnderTest({ ...KEYS })
    const request = async (path: string, key: string) => {
      const connection = await rawConnection({ port })
      const lines = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `X-Baldur-Admin-Key: ${key}`]
      connection.send(`${[...lines, 'Content-Length: 17', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`)
      setTimeout(() => connection.send('{"enabled":false}'), 100)
      const { status, informational } = await connection.read()
      connection.close()
      return [status, informational.map((head) => head.status)]
    }
    expect(await request('/control', OPERATOR)).toEqual([200, [100]])
    expect(await request('/control', 'wrong-key')).toEqual([401, []])
    expect(await request('/nowhere', OPERATOR)).toEqual([404, []])
  })

  test('cannot be turned where no keys are set', async () => {
    const { ask, health } = await adminUnderTest()
    const { status, body } = await ask('/control', turn('{"enabled":false}'))
    expect([status, JSON.parse(body).detail]).toEqual([403, expect.stringContaining('BALDUR_ADMIN_KEY')])
    expect(health.selfHealing).toBe(true)
  })
})

test('an explanation has the numbers in force and the probes that fit them', async () => {
  const { ask } = await adminUnderTest({ ...KEYS })
  const { status, body } = await ask('/explain', { headers: bearer(VIEWER) })
  const told = JSON.parse(body)
  expect(status).toBe(200)
  expect(told.health.readiness).toEqual({
    budgetMs: 500,
    cacheTtlMs: 5_000,
    timeoutFailDirection: 'not_ready',
  })
  expect(told.kubernetes).toContain('readinessProbe:\n  httpGet: { path: /health/ready, port: http }')
  expect(told).not.toHaveProperty('drain')
  expect(body).not.toMatch(new RegExp(`${OPERATOR}|${VIEWER}`))
})

test('what breaks while answering is one line and a 500, and the server goes on', async () => {
  const health = createHealth({ env: {}, watchdog: false })
  const broken = { ...health, paths: health.paths, phase: health.phase, explain: health.explain }
  const { ask, lines } = await adminUnderTest({ health: broken })
  Object.assign(broken, {
    explain: () => {
      throw new Error('boom, password=hunter2')
    },
  })
  expect((await ask('/explain')).status).toBe(500)
  expect(lines.join()).toContain('admin: answering failed: Error: boom')
  expect(lines.join()).not.toContain('hunter2')
  expect((await ask('/liveness')).status).toBe(200)
})
