import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoUnderTest } from './demo-under-test.ts'

const READY = '/api/baldur/health/ready'

/** The answers, to good requests and bad ones, of one process. */
export function describeAnswers(name: string): void {
  describe('without a database', () => {
    const { start, send, get } = demoUnderTest(name, afterAll)
    const order = (body: string, headers = {}) => get('/orders', { method: 'POST', body, headers })
    beforeAll(() => start({ DEMO_DATABASE: 'none' }))

    test('the three endpoints disagree on purpose, and orders live in memory', async () => {
      expect(await get(READY)).toEqual({ status: 200, body: { status: 'ready', checks: {} } })
      expect(await get('/api/baldur/health')).toMatchObject({ status: 503, body: { status: 'unhealthy' } })
      expect(await get('/api/baldur/health/pool')).toMatchObject({
        status: 503,
        body: { status: 'degraded' },
      })
      expect(await order('{"item":"lamp"}')).toEqual({ status: 201, body: { id: 1, item: 'lamp' } })
      expect(await get('/orders')).toEqual({ status: 200, body: [{ id: 1, item: 'lamp' }] })
    })

    test('says with a 400 what is wrong with a request', async () => {
      const refused = (reason: string) => ({ status: 400, body: { error: expect.stringContaining(reason) } })
      const tooLong = JSON.stringify({ item: 'x'.repeat(201) })
      for (const body of ['{}', '{"item":7}', '{"item":""}', '{"item":" "}', '{"item":"\\u0000"}', tooLong]) {
        expect([body, await order(body)]).toEqual([body, refused('item: expected a text of 1 to 200')])
      }
      for (const body of ['no json', '"lamp', '{"item":', '{"item" "lamp"}']) {
        expect([body, await order(body)]).toEqual([body, refused('JSON')])
      }
      expect((await order('no gzip', { 'content-encoding': 'gzip' })).status).toBe(400)
      for (const ms of ['60001', '-1', '1.5', 'x', '', '1&ms=2']) {
        expect([ms, await get(`/slow?ms=${ms}`)]).toEqual([ms, refused('ms')])
      }
      for (const code of ['199', '600', '-1', 'x']) {
        expect([code, await get(`/status/${code}`)]).toEqual([code, refused('code')])
      }
      expect((await send('/nowhere')).status).toBe(404)
    })

    test('answers late, and with the status that was asked for', async () => {
      expect(await get('/slow?ms=10')).toEqual({ status: 200, body: { waited_ms: 10 } })
      for (const status of [200, 201, 299, 302, 404, 418, 500, 503, 599]) {
        expect(await get(`/status/${status}`)).toEqual({ status, body: { status } })
      }
      expect(await get('/status/204')).toEqual({ status: 204, body: '' })
    })

    test('a probe may be a HEAD or an OPTIONS, and nothing else, whatever its body', async () => {
      const { body } = await send(READY)
      const head = await send(READY, { method: 'HEAD' })
      expect([head.status, head.header('content-length'), head.body]).toEqual([200, `${body.length}`, ''])
      const options = await send(READY, { method: 'OPTIONS' })
      expect([options.status, options.header('content-length'), options.header('allow')]).toEqual([
        200,
        '0',
        'GET, HEAD, OPTIONS',
      ])
      const post = await send(READY, { method: 'POST', body: 'no json' })
      expect([post.status, post.header('allow'), post.body]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        '{"status":"method_not_allowed"}',
      ])
    })
  })
}
