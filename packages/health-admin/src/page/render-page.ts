/// <reference path="./inlined.d.ts" />
import { createHash } from 'node:crypto'
import script from './browser/main.ts?script'
import style from './page.css?text'
import html from './page.html?text'

/** The status page: the same for everyone, whatever the state. */
export interface Page {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Makes the page and the headers that go with it. Nothing of it varies, so once is enough. */
export function renderPage(): Page {
  // as functions: a `$` in what is put in has no meaning then
  const body = html
    .replace('<!--style-->', () => element('style', style))
    .replace('<!--script-->', () => element('script', script))
  return {
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    },
  }
}

const element = (name: 'style' | 'script', text: string): string => `<${name}>${text}</${name}>`

/** As the browser names an inline text that it may use: any other is refused. */
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = (): string =>
  [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    // the icon in the tab, in the colour of the verdict
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
