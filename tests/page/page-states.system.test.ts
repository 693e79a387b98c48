// @module-tag chromium
import { until } from 'health-testkit'
import { startBrowser } from 'health-testkit/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminState } from '../../packages/health-admin/src/live/state.ts'
import { type OpenPage, openPage, type PageOptions } from './open-page.ts'
import { type Picture, picture } from './picture.ts'
import { type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts'
import * as states from './states.ts'

let browser: Browser
const servers = new Set<ScriptedServer>()
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers) await server.close()
})

/** After so long the next attempt is made, however many have failed. */
const LONGEST_PAUSE_MS = 5_000

/** Lets an attempt that is due later never come: what connects then was asked to. */
const waitForEver = (page: Page): Promise<void> =>
  page.evaluate(() => {
    // also the timer that is set already
    for (let id = Number(setTimeout(() => undefined)); id > 0; id -= 1) clearTimeout(id)
    Object.assign(globalThis, { setTimeout: () => 0 })
  })

/** What stands on the page at the moment at which it says NO ANSWER: the next attempt is soon. */
const atLoss = async (page: Page): Promise<{ words: string; asOf: string; isStale: boolean }> => {
  const found = await page.waitForFunction(
    () =>
      document.title.startsWith('NO ANSWER ') && {
        words: document.querySelector('#link-words')?.textContent ?? '',
        asOf: document.querySelector('#as-of')?.textContent ?? '',
        isStale: document.querySelector('#dashboard[data-stale]') !== null,
      },
    undefined,
    { polling: 20 },
  )
  return (await found.jsonValue()) || { words: '', asOf: '', isStale: false }
}

/** A page on a server that says this first. */
async function watching(
  state: AdminState | undefined,
  options: PageOptions & Script = {},
): Promise<OpenPage & { readonly server: ScriptedServer }> {
  const server = await scriptedServer(options)
  servers.add(server)
  if (state !== undefined) server.say(state)
  return { ...(await openPage(browser, server.url, options)), server }
}

const PICTURES: Readonly<Record<string, readonly Picture[]>> = {
  light: [
    { name: 'status-light', state: states.healthy, width: 1_280, height: 800 },
    { name: 'status-outage', state: states.unhealthy, width: 1_280, height: 1_060 },
  ],
  dark: [{ name: 'status-dark', state: states.degraded, width: 1_280, height: 830 }],
  'on a small phone': [{ name: 'status-phone', state: states.unhealthy, width: 390, height: 1_200 }],
}

/** The page is the same everywhere: in other colours only their contrast is another, on a small screen only what has to be scrolled. */
const DEVICES: readonly (readonly [string, PageOptions, rules: readonly string[] | undefined])[] = [
  ['light', { scheme: 'light' }, undefined],
  ['dark', { scheme: 'dark' }, ['color-contrast', 'link-in-text-block']],
  [
    'on a small phone',
    { scheme: 'light', width: 360, height: 740 },
    ['scrollable-region-focusable', 'meta-viewport'],
  ],
]

describe.each(DEVICES)('%s', (name, device, rules) => {
  test('every state can be read by everyone, and fits', async () => {
    const { page, says, server, isAccessible, close } = await watching(states.healthy(), {
      ...device,
      role: 'operator',
      failing: /503/,
    })
    await says('HEALTHY')
    await isAccessible(rules)
    for (const one of PICTURES[name] ?? []) await picture(page, server, one)
    for (const [word, state] of [
      ['DEGRADED', states.longNames()],
      ['UNHEALTHY', states.fortyChecks()],
      ['STARTING', states.starting()],
      ['UNHEALTHY', states.unhealthy()],
    ] as const) {
      server.say(state)
      await says(word)
      await page.waitForFunction(
        (n) => document.querySelectorAll('#checks li').length === n,
        state.checks.length,
      )
      await isAccessible(rules)
    }
    server.fallSilent()
    server.send('draining', { status: 'draining', in_flight: 3 })
    await says('DRAINING')
    await isAccessible(rules)
    server.answer('busy')
    server.endStreams()
    await says('TOO MANY WATCHERS')
    await isAccessible(rules)
    await close()
  })

  test('so can a lost server and the form for the key', async () => {
    const { page, says, server, isAccessible, close } = await watching(states.unhealthy(), {
      ...device,
      key: 'sesame-open',
      failing: /401/,
    })
    await says('KEY NEEDED')
    await page.keyboard.type('not-the-key')
    await page.keyboard.press('Enter')
    await page.getByText('This key was refused').waitFor()
    await isAccessible(rules)
    await page.locator('#key').fill('sesame-open')
    await page.keyboard.press('Enter')
    await says('UNHEALTHY')
    server.answer('nothing')
    server.endStreams()
    await says('NO ANSWER')
    await isAccessible(rules)
    await close()
  })
})

describe('what the server says', () => {
  test('of a check whose last run has failed is not that every check is usable', async () => {
    const { says, text, close } = await watching(states.wavering())
    await says('HEALTHY')
    expect(await text('#meaning')).toMatch(/^The last run of payments has failed; its fall/)
    expect(await text('#checks-sum')).toBe('5 checks, 1 failed in its last run')
    await close()
  })

  test('of traffic is what readiness says, not the verdict', async () => {
    const { says, text, close } = await watching(states.unhealthy({ readiness: 'ready' }))
    await says('UNHEALTHY')
    expect(await text('#meaning')).toMatch(/balancers leave this instance in\.$/)
    await close()
  })

  test('is shown as text, whatever it looks like', async () => {
    const { page, says, text, close } = await watching(states.longNames())
    await says('DEGRADED')
    expect(await text('#checks')).toMatch('<img src=x onerror="document.title=1">')
    expect(await text('#checks')).toMatch('<b>bold</b> <script>1</script>')
    expect(await page.locator('main img, main b, main script').count()).toBe(0)
    await close()
  })

  test('is in the headline, the title and the icon: what is wrong, why, since when', async () => {
    const { page, says, text, close } = await watching(states.unhealthy())
    await says('UNHEALTHY')
    expect(await page.title()).toBe('UNHEALTHY orders')
    expect(await text('#causes')).toMatch(
      /^database ECONNREFUSED[\s\S]*\npayments TIMEOUT: no answer in 2000 ms$/,
    )
    expect(await text('#since')).toMatch(/^Since \d\d:\d\d:\d\d, for (?:4|5)\d s\.$/)
    expect(await page.locator('#since').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(decodeURIComponent((await page.locator('#icon').getAttribute('href')) ?? '')).toMatch('#dc2f36')
    const names = await page.locator('#checks .label').allInnerTexts()
    expect(names).toEqual(['database', 'payments', 'database_replica', 'cache', 'disk'])
    expect(await text('#checks')).toMatch(/A run has been waiting for its answer for \d+ s\./)
    expect(await text('#checks')).toMatch('total 0 · idle 0 · waiting 7 · max 10')
    expect(await text('#components')).toMatch(/pool_default\s+degraded\s+cache\s+unknown/)
    await close()
  })

  test('leaves alone what has not changed: a selection stays, and a screen reader hears nothing', async () => {
    const { page, says, text, server, close } = await watching(states.unhealthy())
    await says('UNHEALTHY')
    const counts = await page.evaluate(() => {
      const counts = { announced: 0, problems: 0 }
      const watch = (selector: string, key: keyof typeof counts): void => {
        const observer = new MutationObserver((changes) => {
          counts[key] += changes.length
        })
        observer.observe(document.querySelector(selector) ?? document, {
          childList: true,
          characterData: true,
          subtree: true,
        })
      }
      watch('#announcer', 'announced')
      watch('.problem', 'problems')
      getSelection()?.selectAllChildren(document.querySelector('.problem') ?? document)
      return Object.assign(globalThis, { counts }).counts
    })
    expect(counts).toEqual({ announced: 0, problems: 0 })
    const before = await text('#checks .age .value >> nth=0')
    await page.waitForFunction(
      (old) => document.querySelector('#checks .age .value')?.textContent !== old,
      before,
    )
    server.say({ ...states.unhealthy(), in_flight: 99 })
    await page.getByText('99 requests').waitFor()
    expect(await page.evaluate(() => (globalThis as unknown as { counts: unknown }).counts)).toEqual({
      announced: 0,
      problems: 0,
    })
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(states.LONG_PROBLEM)
    server.say(states.healthy())
    await says('HEALTHY')
    expect(await text('#announcer')).toMatch(/^HEALTHY Every check is usable\./)
    // a drain is told once, not with each request that ends; no real server says in between that there is none
    server.fallSilent()
    for (const left of [3, 2]) {
      server.send('draining', { status: 'draining', in_flight: left })
      await page.getByText(`${left} requests in flight.`).last().waitFor()
    }
    expect(await text('#announcer')).toMatch(/^DRAINING .* 3 requests in flight\.$/)
    await close()
  })

  test('stands with the few checks first, and the whole timeline on demand, by keyboard', async () => {
    const history = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? states.move('healthy', 'degraded', 'cache', (20 - n) * 60_000)
        : states.move('degraded', 'healthy', 'cache', (20 - n) * 60_000),
    )
    const { page, says, text, server, close } = await watching(states.healthy({ history }))
    await says('HEALTHY')
    const lines = page.locator('#timeline li')
    expect(await lines.count()).toBe(6)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await lines.count()).toBe(20)
    expect(await text('#timeline li >> nth=0')).toMatch(
      /degraded → healthy\s+after cache\s+1 min(?: \d+ s)? so far/,
    )
    expect(await text('#timeline li >> nth=19')).toMatch(/healthy → degraded\s+cache\s+lasted 1 min/)
    const isBelow = (): Promise<boolean> => page.locator('#wide #timeline-section').isVisible()
    expect(await isBelow()).toBe(true)
    server.say(states.fortyChecks())
    await says('UNHEALTHY')
    expect(await isBelow()).toBe(false)
    await close()
  })

  test('is read behind a proxy that adds a path, too', async () => {
    const { says, server, close } = await watching(states.healthy(), { path: '/instances/7/' })
    await says('HEALTHY')
    expect(server.asked).toEqual([])
    await close()
  })
})

describe.concurrent('the connection', () => {
  test('that has fallen silent counts as lost after 5 s, and is made anew', async () => {
    const { page, says, passes, server, close } = await watching(states.degraded())
    await says('DEGRADED')
    server.fallSilent()
    // leaves a busy machine two seconds of its own
    await passes(2_000)
    expect(await page.title()).toBe('DEGRADED orders')
    const lost = atLoss(page)
    await passes(3_000)
    const { words, asOf, isStale } = await lost
    await passes(LONGEST_PAUSE_MS)
    expect([words, asOf, isStale]).toEqual([
      expect.stringMatching(/^silent for 5 s, trying/),
      expect.stringMatching(/^What it said last, at \d\d:\d\d:\d\d, \d+ s ago:$/),
      true,
    ])
    await says('DEGRADED')
    await close()
  })

  test('that is greeted and told nothing more is none', async () => {
    const { says, reads, close } = await watching(undefined)
    await says('NO ANSWER')
    await reads('#link-words', /^No answer, trying/)
    await close()
  })

  test('is tried at once on demand, and the focus is not lost with the button', async () => {
    const { page, says, server, close } = await watching(states.healthy(), { failing: /503/ })
    await says('HEALTHY')
    server.answer('busy')
    server.endStreams()
    await says('TOO MANY WATCHERS')
    await waitForEver(page)
    server.answer('stream')
    await page.locator('#try-now').focus()
    await page.keyboard.press('Enter')
    await says('HEALTHY')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('verdict')
    await close()
  })

  test('waits long where too many watch, and is tried at once when its tab is shown', async () => {
    const { page, says, reads, hide, passes, server, close } = await watching(states.healthy(), {
      failing: /503/,
    })
    await says('HEALTHY')
    server.answer('busy')
    server.endStreams()
    await says('TOO MANY WATCHERS')
    await passes(LONGEST_PAUSE_MS)
    await reads('#link-words', /^Too many watchers, trying again in [345] s \(attempt [3-9]\)/)
    await waitForEver(page)
    server.answer('stream')
    await hide(true)
    expect(await page.title()).toMatch(/^TOO MANY WATCHERS/)
    await hide(false)
    await says('HEALTHY')
    await close()
  })

  test('is let go while its tab is hidden, with the last verdict in the title, and made anew when it is shown', async () => {
    const { page, says, text, hide, passes, isAccessible, server, close } = await watching(states.unhealthy())
    await says('UNHEALTHY')
    await hide(true)
    await passes(3_000)
    expect([server.streams, await page.title()]).toEqual([1, 'UNHEALTHY orders'])
    await passes(7_000)
    await says('UNHEALTHY (paused)')
    expect([await text('#verdict'), await text('#link-words')]).toEqual(['PAUSED', 'Paused while hidden'])
    expect(await page.locator('#dashboard[data-stale]').count()).toBe(1)
    await isAccessible()
    await until(() => server.streams === 0)
    await hide(false)
    await says('UNHEALTHY')
    expect(server.streams).toBe(1)
    expect(await text('#timeline')).not.toMatch(/Lost|again/)
    await close()
  })

  test('that is not free for the switch is told within seconds, and nothing is switched later', async () => {
    const { page, says, reads, server, close } = await watching(states.healthy(), { role: 'operator' })
    await says('HEALTHY')
    // as five other tabs would: the browser counts the connections to a server, whoever has them
    await page.evaluate(async () => {
      const others = Array.from({ length: 5 }, () => new AbortController())
      Object.assign(globalThis, { freeOne: () => others[0]?.abort() })
      for (const { signal } of others) await fetch('events', { signal })
    })
    await until(() => server.streams === 6)
    await page.locator('#switch').click()
    await reads('#switch-fault', /^Given up after 5 s .* Close other tabs of this page\.$/)
    await page.evaluate(() => (globalThis as unknown as { freeOne(): void }).freeOne())
    await until(() => server.streams === 5)
    expect(server.asked).toEqual([])
    await page.locator('#switch').click()
    await until(() => server.asked.length > 0)
    expect(server.asked).toEqual(['POST /control'])
    await reads('#switch-fault', /^$/)
    await close()
  })

  test('that breaks in a drain tells no end of it, and that it is the same drain when the same process is back', async () => {
    const { says, text, reads, passes, server, close } = await watching(states.healthy(), {
      failing: /ERR_/,
    })
    const lines = async (like: RegExp): Promise<number> => (await text('#timeline')).match(like)?.length ?? 0
    await says('HEALTHY')
    server.say(states.draining())
    await says('DRAINING')
    server.answer('cut')
    server.endStreams()
    await says('NO ANSWER')
    expect(await text('#meaning')).toBe(
      'Lost in the middle of its drain, with 3 requests in flight when it was last heard: it may have been killed.',
    )
    server.answer('stream')
    await passes(LONGEST_PAUSE_MS)
    await says('DRAINING')
    expect(await lines(/A drain has begun/g)).toBe(1)
    expect(await text('#timeline')).toMatch(
      /Answers again[\s\S]*Lost the server in its drain, with 3 requests/,
    )
    expect(await text('#since')).toMatch(/^Since/)

    server.say(states.draining({ in_flight: 0, phase: 'terminating' }))
    await reads('#phase', /terminating/)
    server.answer('cut')
    server.endStreams()
    await says('NO ANSWER')
    expect(await text('#meaning')).toMatch(
      /^It was last heard at the end of its drain, with nothing in flight\./,
    )
    await passes(61_000)
    await reads('#meaning', /Nothing has answered here for over a minute\. A rolling restart normally/)
    await reads('#since', /^Since \d\d:\d\d:\d\d, for 1 min \d+ s\. It last said: draining\.$/)

    const { instance } = states.healthy()
    server.say(states.draining({ instance: { ...instance, pid: 4_343 } }))
    server.answer('stream')
    await passes(LONGEST_PAUSE_MS)
    await says('DRAINING')
    await reads('#timeline', /Seen in a drain: its beginning was not seen/)
    server.send('draining', { status: 'draining', in_flight: 0, phase: 'terminated' })
    server.answer('cut')
    server.endStreams()
    await says('ENDED')
    expect(await text('#meaning')).toMatch(/^Its drain has ended, with nothing in flight/)
    expect([await text('#phase'), await text('#readiness')]).toEqual(['terminated', 'draining'])
    await close()
  })

  test('that is made in the middle of a drain does not say that it begins', async () => {
    const { page, says, reads, text, close } = await watching(states.draining())
    await says('DRAINING')
    await reads('#timeline', /Seen in a drain: its beginning was not seen/)
    expect(await text('#timeline')).not.toMatch('has begun')
    expect(await page.locator('#since').isVisible()).toBe(false)
    await close()
  })

  test('is told by the clock of the server, however wrong the browser’s is', async () => {
    const { page, says, reads, passes, server, close } = await watching(states.healthy(), {
      aheadMs: 3_600_000,
      failing: /ERR_/,
    })
    await says('HEALTHY')
    server.answer('cut')
    server.endStreams()
    await says('NO ANSWER')
    server.answer('stream')
    await passes(LONGEST_PAUSE_MS)
    await says('HEALTHY')
    await reads('#timeline', /Answers again[\s\S]*Lost the server/)
    const times = await page
      .locator('#timeline li')
      .evaluateAll((rows) =>
        rows
          .filter((row) => /Answers again|Lost/.test(row.textContent))
          .map((row) => Date.parse(row.querySelector('time')?.dateTime ?? '')),
      )
    expect(times).toHaveLength(2)
    for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(60_000)
    await close()
  })

  test('of a key that is changed asks for the new one, and the old one is nowhere; what was seen is forgotten with a key', async () => {
    const { page, says, text, reads, passes, server, close } = await watching(states.healthy(), {
      key: 'the first key',
      failing: /401|ERR_/,
    })
    const kept = (): Promise<number> => page.evaluate(() => sessionStorage.length)
    const type = async (key: string): Promise<void> => {
      await page.locator('#key').fill(key)
      await page.keyboard.press('Enter')
      await says('HEALTHY')
    }
    await says('KEY NEEDED')
    await type('the first key')
    expect(await kept()).toBe(1)
    server.rotate('the second key')
    server.endStreams()
    await says('KEY NEEDED')
    await reads('#key-fault', /^The key that this tab has kept is refused now: it has been changed\./)
    expect([await page.locator('#key').inputValue(), await kept()]).toEqual(['', 0])
    await type('the second key')
    await reads('#timeline', /healthy/)

    server.answer('cut')
    server.endStreams()
    await says('NO ANSWER')
    server.answer('stream')
    await passes(LONGEST_PAUSE_MS)
    await says('HEALTHY')
    await reads('#timeline', /Answers again/)
    await page.locator('#forget').click()
    await says('KEY NEEDED')
    expect(await kept()).toBe(0)
    await type('the second key')
    await reads('#timeline', /healthy/)
    expect(await text('#timeline')).not.toMatch(/Answers again|Lost/)
    await close()
  })

  test('that waits for a key notices that its server goes, and that it is back', async () => {
    const { page, says, passes, text, isAccessible, server, close } = await watching(states.healthy(), {
      key: 'sesame-open',
      failing: /401|ERR_/,
    })
    await says('KEY NEEDED')
    await page.keyboard.type('half a k')
    await page.locator('#show-key').focus()
    server.answer('cut')
    await passes(11_000)
    await says('NO ANSWER')
    expect(await text('#meaning')).toMatch(/^The server that asked for a key does not answer\./)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('show-key')
    await isAccessible()
    server.answer('stream')
    await passes(11_000)
    await says('KEY NEEDED')
    expect(await page.locator('#key').inputValue()).toBe('half a k')
    expect(new Set(server.asked)).toEqual(new Set(['GET /liveness']))

    // another one may want none
    server.answer('cut')
    await passes(11_000)
    await says('NO ANSWER')
    server.rotate(undefined)
    server.answer('stream')
    await passes(11_000)
    await says('HEALTHY')
    await close()
  })

  test('keeps what was typed when the server goes while a key is tried', async () => {
    const { page, says, passes, server, close } = await watching(states.healthy(), {
      key: 'sesame-open',
      failing: /401|ERR_/,
    })
    await says('KEY NEEDED')
    server.answer('cut')
    await page.keyboard.type('sesame-open')
    await page.keyboard.press('Enter')
    await says('NO ANSWER')
    expect(await page.locator('#key').inputValue()).toBe('sesame-open')
    server.answer('stream')
    await passes(LONGEST_PAUSE_MS)
    await says('HEALTHY')
    await close()
  })

  test.each([
    ['html', /^Unexpected answer: 200 text\/html, trying/],
    ['gateway', /^Unexpected answer: 503 /],
  ] as const)(
    'to what is no stream of events is none, and says what came instead: %s',
    async (how, words) => {
      const { text, says, server, close } = await watching(states.healthy(), { failing: /503/ })
      await says('HEALTHY')
      server.answer(how)
      server.endStreams()
      await says('NO ANSWER')
      await until(async () => words.test(await text('#link-words')))
      await close()
    },
  )

  test('that brings what cannot be read is none, and the fault is told', async () => {
    const { page, faults, says, server } = await watching(states.healthy())
    await says('HEALTHY')
    server.send('state', {})
    expect((await atLoss(page)).words).toMatch(/^This page could not read what came/)
    await page.context().close()
    expect(faults).toEqual([expect.stringMatching(/^uncaught: /)])
  })
})

test('the tests hear of a breach of the policy, and of an error', async () => {
  const { page, faults, says } = await watching(states.healthy())
  await says('HEALTHY')
  await page.evaluate(() => {
    document.body.setAttribute('style', 'color: red')
    fetch('https://example.org/').catch(() => console.error('refused'))
  })
  await until(() => faults.includes('console: refused'))
  await page.context().close()
  for (const directive of ['style-src-attr', 'connect-src'])
    expect(faults).toContainEqual(expect.stringMatching(`^console: violates ${directive}`))
})

test('moves nothing for who wants less motion', async () => {
  const { page, close } = await watching(states.healthy())
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((one) => {
        const { transitionDuration, animationName } = getComputedStyle(one)
        return transitionDuration !== '0s' || animationName !== 'none'
      }).length,
  )
  expect(moving).toBe(0)
  await close()
})
