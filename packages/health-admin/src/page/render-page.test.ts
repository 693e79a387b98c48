import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { renderPage } from './render-page.ts'

const { body, headers } = renderPage()
const inlined = (name: string): readonly string[] =>
  [...body.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, text = '']) => text)

test('is one document with one style and one script, which end where they should', () => {
  expect([inlined('style').length, inlined('script').length]).toEqual([1, 1])
  expect(body).toMatch(/<\/script>\n<\/body>\n<\/html>\n$/)
  // a browser reads these as the end of a script, or as one inside a comment
  expect(inlined('script')[0]).not.toMatch(/<\/script|<!--/i)
  expect(body).not.toMatch(/<!--(?:style|script)-->/)
})

test('its policy allows these two texts, its own origin, and nothing else', () => {
  const hash = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(headers['content-security-policy']?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hash(inlined('script')[0])}`,
    `style-src ${hash(inlined('style')[0])}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
})

test('names no other origin, and nothing that its policy would refuse', () => {
  const addresses = body.match(/https?:\/\/[^"'\s]+/g) ?? []
  // the name of a format, not an address that is asked
  expect(addresses.filter((one) => !one.startsWith('http://www.w3.org/2000/svg'))).toEqual([])
  expect(body).not.toMatch(/<[^>]*\s(?:style|on[a-z]+)=/i)
  expect(inlined('script')[0]).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
  )
})

test('is the same each time, and says of itself what it must', () => {
  expect(renderPage()).toEqual({ body, headers })
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  })
})
