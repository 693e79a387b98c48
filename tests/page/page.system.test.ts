// @module-tag chromium
import { fileURLToPath } from 'node:url'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { createDrain } from '@baldur/health-drain'
import { freePort, isAlive, type SpawnedApp, spawnApp, startPostgres } from 'health-testkit'
import { startBrowser } from 'health-testkit/browser'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from './open-page.ts'

let browser: Browser
const endings: (() => Promise<unknown>)[] = []
/** Ended after the test, the newest first. */
const ending = (end: () => Promise<unknown>): void => void endings.unshift(end)

beforeAll(async () => {
  browser = await startBrowser()
})
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})
afterAll(() => browser?.close())

/** Faults are the point here: the runner's output need not tell of them. */
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** What the page may take to show what has happened: the bar of the issue. */
const BAR_MS = 3_000

describe('a real database', () => {
  test('that stops is on the page within 3 s without a reload, and so is its recovery', async () => {
    const postgres = await startPostgres()
    ending(() => postgres.stop())
    const database = postgresCheck({ connectionString: postgres.url })
    const health = createHealth({
      env: { BALDUR_NAMESPACE: 'orders' },
      databases: { default: database },
      logger: quiet,
    })
    ending(() => health.close())
    const admin = await startAdmin({ health, port: 0, env: {} })
    ending(() => admin.close())

    const { page, says, text, close } = await openPage(browser, `${admin.url}/`)
    await says('HEALTHY')
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    expect(await text('#checks')).toMatch(/database[\s\S]*postgresql[\s\S]*healthy/)

    await page.evaluate(() => {
      const verdict = document.querySelector('#verdict') ?? document.body
      new MutationObserver(() => Object.assign(globalThis, { changedAt: Date.now() })).observe(verdict, {
        ...{ childList: true, characterData: true, subtree: true },
      })
    })
    await postgres.crash()
    const stoppedAt = Date.now()
    await says('UNHEALTHY')
    const changedAt = await page.evaluate(() => (globalThis as unknown as { changedAt: number }).changedAt)
    expect(changedAt - stoppedAt).toBeLessThan(BAR_MS)
    expect(await text('#verdict')).toBe('UNHEALTHY')
    expect(await text('#causes')).toMatch(/^database (?:ECONNREFUSED|57P0\d|ECONNRESET|ERROR)/)
    expect(await text('#since')).toMatch(/^Since \d\d:\d\d:\d\d, for \d+ s\.$/)
    await page.waitForFunction(() => document.querySelector('#readiness')?.textContent === 'not ready')
    expect(await text('#timeline')).toMatch(/healthy → unhealthy\s+database\s+\d+ s so far/)
    // a check that keeps failing shows it in its line of runs too
    await page.waitForFunction(
      () => (document.querySelector('.marks')?.getAttribute('d')?.match(/M/g) ?? []).length >= 2,
    )

    await postgres.restart()
    await says('HEALTHY')
    expect(await text('#timeline')).toMatch(/unhealthy → healthy\s+after database/)
    expect(await page.locator('.problem:visible').count()).toBe(0)

    // one that accepts and is silent
    await postgres.pause()
    await says('UNHEALTHY')
    await page.waitForFunction(() => document.querySelector('#checks .state')?.textContent === 'timed out')
    await page.waitForFunction(() =>
      /waiting for its answer for \d+ s/.test(document.querySelector('.running')?.textContent ?? ''),
    )
    await postgres.resume()
    await says('HEALTHY')
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    await close()
  })
})

describe('a server that goes', () => {
  const start = async (port: number, ...more: readonly string[]): Promise<SpawnedApp> => {
    const file = fileURLToPath(new URL('admin-service.mjs', import.meta.url))
    const app = await spawnApp({ args: [file, String(port), ...more], readyPattern: /admin on/ })
    ending(() => app.stop({ graceMs: 0 }))
    return app
  }

  test('is told as lost when it is killed, and as another process when it is back on the same port', async () => {
    const port = await freePort()
    const first = await start(port)
    const { page, says, reads, text, close } = await openPage(browser, `http://127.0.0.1:${port}/`, {
      failing: /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/,
    })
    await says('HEALTHY')
    first.signal('SIGKILL')
    await says('NO ANSWER')
    expect(await text('#meaning')).toBe('The server has been lost. Below is what it said last.')
    expect(await text('#since')).toMatch(/^Since \d\d:\d\d:\d\d, for \d+ s\. It last said: healthy\.$/)
    expect(await page.locator('#dashboard[data-stale]').count()).toBe(1)
    await page.waitForFunction(() =>
      /trying again in \d+ s \(attempt [2-9]\)/.test(
        document.querySelector('#link-words')?.textContent ?? '',
      ),
    )

    await first.exited
    const second = await start(port)
    await says('HEALTHY')
    await reads('#notice', new RegExp(`Another process answers: ${second.pid}, after ${first.pid}`))
    expect(await page.locator('#dashboard[data-stale]').count()).toBe(0)
    expect(await text('#timeline')).toMatch(/Answers again, after \d+ s/)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.locator('#notice').waitFor({ state: 'hidden' })
    await close()
  })

  test('at the beginning of its drain is not said to have ended: the process lives on', async () => {
    const port = await freePort()
    const app = await start(port, 'stop')
    const { says, text, reads, close } = await openPage(browser, `http://127.0.0.1:${port}/`, {
      failing: /ERR_CONNECTION|ERR_EMPTY/,
    })
    await says('HEALTHY')
    app.signal('SIGTERM')
    await says('DRAIN BEGUN')
    expect(isAlive(app.pid)).toBe(true)
    expect(await text('#meaning')).toBe(
      'A drain has begun, with 1 request in flight, and the admin server has closed, as it does at a drain’s beginning. How the drain goes on cannot be seen from here.',
    )
    expect(await text('#since')).toMatch(/It last said: draining\.$/)
    expect([await text('#readiness'), await text('#in-flight')]).toEqual(['draining', '1 request'])
    expect(await text('#timeline')).toMatch(/The admin server has closed[\s\S]*A drain has begun/)
    expect(await text('.top')).not.toMatch(/ended|\bready\b/i)
    // an attempt that fails changes nothing about that
    await reads('#link-words', /attempt [3-9]/)
    expect(await text('#verdict')).toBe('DRAIN BEGUN')
    await close()
  })

  test('by a kill in the middle of its drain is told as that, with what was in flight', async () => {
    const port = await freePort()
    const app = await start(port, 'serve')
    const { says, text, close } = await openPage(browser, `http://127.0.0.1:${port}/`, {
      failing: /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/,
    })
    await says('HEALTHY')
    app.signal('SIGTERM')
    await says('DRAINING')
    app.signal('SIGKILL')
    await says('NO ANSWER')
    expect(await text('#meaning')).toMatch(
      /with 1 request in flight when it was last heard: it may have been killed/,
    )
    expect(await text('.top')).not.toMatch('ended')
    await close()
  })

  test('shows its drain, with what is in flight, while it serves through it', async () => {
    const health = createHealth({ env: {}, checks: [{ name: 'always', run: () => true }] })
    const drain = createDrain({ health, env: {}, shutdownDelayMs: 0 })
    const admin = await startAdmin({ health, drain, port: 0, env: {}, duringDrain: 'serve' })
    ending(() => health.close())
    ending(() => admin.close())
    let finish = (): void => undefined
    const job = new Promise<void>((resolve) => {
      finish = resolve
    })
    void drain.track(job)
    const { page, says, text, close } = await openPage(browser, `${admin.url}/`, {
      failing: /ERR_CONNECTION|ERR_EMPTY/,
    })
    await says('HEALTHY')
    expect(await text('#in-flight')).toBe('1 request')
    const drained = drain.start()
    await says('DRAINING')
    expect(await text('#meaning')).toMatch(/^A drain has begun: .* 1 request in flight\.$/)
    expect(await text('#phase')).toBe('draining')
    expect(await text('#since')).toMatch(/for \d+ s\.$/)
    finish()
    await drained
    // as the last word has a phase or not
    await page.waitForFunction(() => /^ENDED /.test(document.title))
    expect(await text('#meaning')).toMatch(/ drain(?: has ended)?, with nothing in flight/)
    await close()
  })
})

describe('keys', () => {
  const KEYS = { operatorKey: 'the-operators-key', viewerKey: 'the-viewers-key' }

  test('none, a wrong one, a viewer, an operator who switches by keyboard alone', async () => {
    const health = createHealth({ env: {}, checks: [{ name: 'always', run: () => true }] })
    ending(() => health.close())
    const admin = await startAdmin({ health, ...KEYS, port: 0, env: {}, logger: quiet })
    ending(() => admin.close())
    const { page, says, text, close } = await openPage(browser, `${admin.url}/`, { failing: /401/ })
    const { keyboard } = page
    const field = page.getByLabel('Key of a viewer or an operator')
    const focus = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '')

    // none: it asks, shows nothing, and the cursor is where it belongs
    await says('KEY NEEDED')
    expect([await focus(), await page.locator('#dashboard').isVisible()]).toEqual(['key', false])
    expect(await text('#key-fault')).toBe('')
    await keyboard.press('Enter')
    expect(await text('#key-fault')).toBe('Type the key in first.')

    // a wrong one: it says so, and leaves what was typed
    await keyboard.type('the-viewer-key')
    await keyboard.press('Enter')
    await page.waitForFunction(() =>
      document.querySelector('#key-fault')?.textContent?.startsWith('This key was refused'),
    )
    expect([await field.inputValue(), await focus()]).toEqual(['the-viewer-key', 'key'])
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)

    // a viewer reads
    await field.fill(` ${KEYS.viewerKey}\n`)
    await keyboard.press('Enter')
    await says('HEALTHY')
    expect(await text('#who')).toMatch('viewer: reads')
    expect(await page.locator('#switch').isVisible()).toBe(false)
    expect(await field.isVisible()).toBe(false)
    await page.reload()
    await says('HEALTHY')

    // forgets it
    await page.locator('#forget').focus()
    await keyboard.press('Space')
    await says('KEY NEEDED')
    expect([await field.inputValue(), await focus()]).toEqual(['', 'key'])
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await page.locator('#dashboard').isVisible()).toBe(false)

    // an operator switches, from the field on with the keyboard alone
    await keyboard.type(KEYS.operatorKey)
    await keyboard.press('Enter')
    await says('HEALTHY')
    expect(await text('#self-healing')).toBe('on')
    for (let presses = 0; (await focus()) !== 'switch'; presses += 1) {
      expect(presses).toBeLessThan(6)
      await keyboard.press('Tab')
    }
    expect(
      await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
    ).toBe('solid')
    await keyboard.press('Space')
    await page.waitForFunction(() => document.querySelector('#self-healing')?.textContent === 'off')
    expect([health.selfHealing, await focus(), await text('#switch')]).toEqual([false, 'switch', 'Switch on'])
    expect(await text('#timeline')).toMatch('Self-healing was switched off')
    await keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('#self-healing')?.textContent === 'on')
    expect([health.selfHealing, await text('#switch-fault')]).toEqual([true, ''])
    expect(page.url()).toBe(`${admin.url}/`)
    await close()
  })
})
