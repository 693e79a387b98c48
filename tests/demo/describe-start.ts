import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { DemoUnderTest } from './demo-under-test.ts'

/** Where it listens, and what keeps it from that. */
export function describeStart(
  { spawn, refusal }: DemoUnderTest,
  { usualPort, usualAdminPort }: { readonly usualPort: number; readonly usualAdminPort: number },
): void {
  test(`listens on ${usualPort}, and its admin server on ${usualAdminPort}, where no port is set`, async () => {
    // an address of its own; were the port taken there, or the address not there, the error would name both too
    const at = { HOST: '127.0.0.77', BALDUR_ADMIN_BIND: '127.0.0.77', BALDUR_ADMIN_PORT: '' }
    const { ready, stdout } = await spawn(
      { ...at, DEMO_DATABASE: 'none' },
      /^listening .*127\.0\.0\.77:(\d+)$/,
    )
    expect(ready?.[1]).toBe(String(usualPort))
    expect(stdout).toContain(`admin on http://127.0.0.77:${usualAdminPort}`)
  })

  describe('ends with exit code 1 before it listens', () => {
    test('on a port that is taken, or none', async () => {
      const holder = createServer().listen(0, '127.0.0.1')
      await once(holder, 'listening')
      const taken = (holder.address() as AddressInfo).port
      const output = await refusal({ PORT: String(taken), DEMO_DATABASE: 'none' })
      holder.close()
      expect(output).toBe(`listen EADDRINUSE: address already in use 127.0.0.1:${taken}`)
      expect(await refusal({ PORT: '65536' })).toBe('PORT: expected 0 to 65535, got "65536"')
    })

    test('on a mysql:// DSN: the demo keeps its orders in PostgreSQL', async () => {
      const output = await refusal({ BALDUR_SQL_DSN: 'mysql://joe:hunter2@127.0.0.1/x' })
      expect(output).toBe(
        'BALDUR_SQL_DSN: expected the URL of a PostgreSQL, where the demo keeps its orders, got a mysql:// URL',
      )
    })

    test('on a drain that cannot end before the platform kills: the sum is in the message', async () => {
      const output = await refusal({
        DEMO_DATABASE: 'none',
        BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '10',
        BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS: '9.5',
      })
      expect(output).toMatch(
        /BALDUR_DRAIN_GRACE_PERIOD_SECONDS: expected at least what the drain takes: .*DELAY\w* 500 \+ .*BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS 9500 = \d+ milliseconds, got 10000/,
      )
    })

    test('on bad settings, every problem listed, no secret printed', async () => {
      const output = await refusal({
        BALDUR_SQL_DSN: 'oracle://scott:tiger-secret@db/x',
        BALDUR_ADMIN_KEY: 'short7!',
        BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS: 'half',
        BALDUR_META_WATCHDOG_ENABLED: 'yes',
        BALDUR_DRAIN_GRACE_PERIOD_SECONDS: '0',
      })
      for (const name of [
        'BALDUR_SQL_DSN',
        'BALDUR_ADMIN_KEY',
        'BALDUR_HEALTH_CHECK_READINESS_PROBE_TIMEOUT_SECONDS',
        'BALDUR_META_WATCHDOG_ENABLED',
        'BALDUR_DRAIN_GRACE_PERIOD_SECONDS',
      ]) {
        expect(output).toContain(name)
      }
      expect(output).not.toMatch(/tiger-secret|scott|short7!/)
    })
  })
}
