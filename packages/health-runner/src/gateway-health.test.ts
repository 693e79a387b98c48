import { expect, it } from 'vitest'
import { systemClock } from '../../health-core/src/machinery/clock.ts'
import { gatewayHealth } from './gateway-health.ts'

const GATEWAY = {
  ...{ host: '127.0.0.1', port: 0, prefix: '/gateway', requestTimeoutMs: 1_000 },
  waitingLine: { max: 1, timeoutMs: 1 },
}

it('is starting until a runner is ready, then follows whether any is, and says nothing of a start that goes its way', async () => {
  const rooms = new Set<() => void>()
  const fleet = {
    hasReady: false,
    onRoom: (listener: () => void) => {
      rooms.add(listener)
      return () => rooms.delete(listener)
    },
  }
  const tell = (): void => {
    for (const room of rooms) room()
  }
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const health = gatewayHealth(fleet, {
    gateway: GATEWAY,
    logger: { debug: () => undefined, info: say, warn: say, error: say },
    clock: systemClock,
    // a database of the app is none of the gateway's
    env: { BALDUR_SQL_DSN: 'postgres://postgres@127.0.0.1:1/x', BALDUR_REDIS_URL: 'redis://127.0.0.1:1' },
  })
  const ask = async (probe: string) => {
    const answer = await health.answer({ method: 'GET', target: `/gateway/health/${probe}` })
    return [answer?.status, JSON.parse(String(answer?.body)).status]
  }
  expect([await ask('ready'), await ask('startup'), await ask('live')]).toEqual([
    [503, 'starting'],
    [503, 'starting'],
    [200, 'alive'],
  ])
  tell()
  expect(await ask('ready')).toEqual([503, 'starting'])
  fleet.hasReady = true
  tell()
  await Promise.resolve()
  expect([await ask('ready'), await ask('startup')]).toEqual([
    [200, 'ready'],
    [200, 'started'],
  ])
  expect([rooms.size, lines]).toEqual([0, []])
  fleet.hasReady = false
  expect([await ask('ready'), await ask('startup')]).toEqual([
    [503, 'not_ready'],
    [200, 'started'],
  ])
  await health.close()
})
