import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A tab on the status page that keeps count of everything it should not do. */
export interface OpenPage {
  readonly page: Page
  /** Errors, warnings, breaches of the policy, requests to another origin. */
  readonly faults: readonly string[]
  /** Resolves once the tab's title is this verdict's; within 30 s. */
  says(word: string): Promise<void>
  /** Lets time pass for the clock of this tab, beside what passes by itself. */
  passes(ms: number): Promise<void>
  /** Hides the tab behind another, or shows it again. */
  hide(isHidden: boolean): Promise<void>
  /** Resolves once the text of an element is like this, hidden parts included; within 30 s. */
  reads(selector: string, like: RegExp): Promise<void>
  /** The text of an element, as it is seen. */
  text(selector: string): Promise<string>
  /** Fails on serious or critical findings of axe-core, and on anything wider than the window. */
  isAccessible(): Promise<void>
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

export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { scheme = 'light', width = 1280, height = 800, aheadMs = 0, failing } = options
  const context: BrowserContext = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    const isNews = message.type() === 'error' || message.type() === 'warning'
    if (isNews && !isExpected(text, message.location().url, failing)) faults.push(`console: ${text}`)
  })
  page.on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(new URL(url).origin) && !asked.startsWith('data:')) faults.push(`asked ${asked}`)
  })
  await page.addInitScript((ms) => {
    const now = Date.now
    Object.assign(globalThis, { aheadMs: ms })
    Date.now = () => now.call(Date) + (globalThis as unknown as { aheadMs: number }).aheadMs
  }, aheadMs)
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`violates ${violatedDirective} ${blockedURI}`),
    )
  })
  await page.goto(url)

  return {
    page,
    faults,
    says: (word) =>
      page
        .waitForFunction((wanted) => document.title.startsWith(`${wanted} `), word, { polling: 20 })
        .then(() => undefined),
    passes: (ms) =>
      page.evaluate((more) => {
        const tab = globalThis as unknown as { aheadMs: number }
        tab.aheadMs += more
      }, ms),
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
    async isAccessible() {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
      expect(await page.evaluate(findings)).toEqual([])
    },
    async close() {
      await context.close()
      expect(faults).toEqual([])
    },
  }
}

/** Runs in the page. */
async function findings(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html} ${any.map(({ message }) => message).join(' ')}`),
    )
}
