import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, ConsoleMessage, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

/** A tab on the status page that keeps count of everything it should not do. */
export interface OpenPage {
  readonly page: Page
  /** Errors, warnings, breaches of the policy, requests to another origin. */
  readonly faults: readonly string[]
  /** Resolves once the tab's title is this verdict's; within 30 s. */
  says(word: string): Promise<void>
  /** Lets time pass at once for the clock of this tab, beside what passes by itself: what falls due is done. */
  passes(ms: number): Promise<void>
  /** Hides the tab behind another, or shows it again. */
  hide(isHidden: boolean): Promise<void>
  /** Resolves once the text of an element is like this, hidden parts included; within 30 s. */
  reads(selector: string, like: RegExp): Promise<void>
  /** The text of an element, as it is seen. */
  text(selector: string): Promise<string>
  /** Fails on serious or critical findings of axe-core, of all its rules or of these, and on anything wider than the window. */
  isAccessible(rules?: readonly string[]): Promise<void>
  /** Closes the tab; fails on any fault. */
  close(): Promise<void>
}

export interface PageOptions {
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** How far the clock of the browser is ahead. @default 0 */
  readonly aheadMs?: number
  /** What the browser itself reports of a request for `events` or `liveness` that fails in this test. */
  readonly failing?: RegExp
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The browser's own line about a request that failed, at that request's address. */
const isExpected = (text: string, at: string, failing: RegExp | undefined): boolean =>
  failing !== undefined &&
  /\/(?:events|liveness)$/.test(at) &&
  text.startsWith('Failed to load resource') &&
  failing.test(text)

const free = new WeakMap<Browser, Page[]>()

/** Tabs that show nothing, each with cookies, storage and connections of its own. */
function freeTabs(browser: Browser): Page[] {
  const tabs = free.get(browser) ?? []
  free.set(browser, tabs)
  return tabs
}

async function newTab(browser: Browser, aheadMs: number): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
  })
  const page = await context.newPage()
  await page.addInitScript(movableClock, aheadMs)
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates ${violatedDirective} ${blockedURI}`),
    )
  })
  return page
}

export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { scheme = 'light', width = 1280, height = 800, aheadMs = 0, failing } = options
  // a new tab costs as much as most tests; one with another clock cannot be used again
  const isShared = aheadMs === 0
  const page = (isShared ? freeTabs(browser).pop() : undefined) ?? (await newTab(browser, aheadMs))
  await page.emulateMedia({ colorScheme: scheme })
  await page.setViewportSize({ width, height })
  const faults: string[] = []
  const watchers = {
    pageerror: (error: Error) => void faults.push(`uncaught: ${error.message}`),
    console: (message: ConsoleMessage) => {
      const text = message.text()
      const isNews = message.type() === 'error' || message.type() === 'warning'
      if (isNews && !isExpected(text, message.location().url, failing)) faults.push(`console: ${text}`)
    },
    request: (request: Request) => {
      const asked = request.url()
      const isOurs = asked.startsWith(new URL(url).origin) || /^(?:data:|about:blank$)/.test(asked)
      if (!isOurs) faults.push(`asked ${asked}`)
    },
  }
  page.on('pageerror', watchers.pageerror)
  page.on('console', watchers.console)
  page.on('request', watchers.request)
  await page.goto(url)

  return {
    page,
    faults,
    says: (word) =>
      page
        .waitForFunction((wanted) => document.title.startsWith(`${wanted} `), word, { polling: 20 })
        .then(() => undefined),
    passes: (ms) => page.evaluate((more) => (globalThis as unknown as MovableTab).pass(more), ms),
    hide: (isHidden) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden),
    reads: (selector, like) =>
      page
        .waitForFunction(
          ([at, source, flags]) =>
            new RegExp(source, flags).test(document.querySelector(at)?.textContent ?? ''),
          [selector, like.source, like.flags] as const,
          { polling: 20 },
        )
        .then(() => undefined),
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is no part of it
    text: (selector) => page.locator(selector).innerText(),
    async isAccessible(rules) {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
      expect(await page.evaluate(findings, rules)).toEqual([])
    },
    async close() {
      if (isShared) {
        await page.goto('about:blank')
        page.off('pageerror', watchers.pageerror)
        page.off('console', watchers.console)
        page.off('request', watchers.request)
        freeTabs(browser).push(page)
      } else await page.context().close()
      expect(faults).toEqual([])
    },
  }
}

/** Runs in the page. */
async function findings(rules: readonly string[] | undefined): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    ...(rules && { runOnly: [...rules] }),
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html} ${any.map(({ message }) => message).join(' ')}`),
    )
}

interface MovableTab {
  pass(ms: number): void
}

/** Runs in the page, before its own code: a clock that is ahead, and that can be moved on with all timers. */
function movableClock(aheadMs: number): void {
  let ahead = aheadMs
  const now = Date.now.bind(Date)
  Date.now = () => now() + ahead
  const { setTimeout: later, setInterval: repeat, clearTimeout: clear } = globalThis
  const intervals: (() => void)[] = []
  const timers = new Map<number, { due: number; fire: () => void }>()
  const pass = (ms: number): void => {
    ahead += ms
    for (const [id, { due, fire }] of timers) {
      if (due > Date.now() || !timers.delete(id)) continue
      clear(id)
      fire()
    }
    for (const fire of intervals) fire()
  }
  const after = (fire: () => void, ms = 0): number => {
    const id = Number(
      later(() => {
        timers.delete(id)
        fire()
      }, ms),
    )
    timers.set(id, { due: Date.now() + ms, fire })
    return id
  }
  Object.assign(globalThis, {
    pass,
    setTimeout: after,
    clearTimeout: (id: number) => {
      timers.delete(id)
      clear(id)
    },
    setInterval: (fire: () => void, ms: number) => {
      intervals.push(fire)
      return repeat(fire, ms)
    },
  })
}
