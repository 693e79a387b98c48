import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { appName, appPackage, asNamespace } from './app-name.ts'

const root = mkdtempSync(join(tmpdir(), 'app-name-'))
afterAll(() => rmSync(root, { recursive: true }))

function file(path: string, text: string): string {
  const full = join(root, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, text)
  return full
}
const manifest = (folder: string, name: unknown): string =>
  file(`${folder}/package.json`, JSON.stringify({ name }))

manifest('work', 'the-workspace')
manifest('work/apps/orders', '@acme/Orders_API')
manifest('work/node_modules/runner', 'runner')
const script = file('work/apps/orders/dist/server.js', '')
const runner = file('work/node_modules/runner/cli.js', '')
const workspace = join(root, 'work')

test('the app name is that of the package of the script', () => {
  expect(appName(script, workspace)).toBe('acme.orders_api')
})

test('the app name is that of the script’s own package, also through a link', () => {
  const link = join(root, 'server.js')
  symlinkSync(script, link)
  expect(appName(link, '/')).toBe('acme.orders_api')
})

test.each([
  ['an installed runner', runner],
  ['no file', '[eval]'],
  ['nothing', undefined],
])('is that of the working directory where the script is %s', (_what, path) => {
  expect(appName(path, workspace)).toBe('the-workspace')
})

test('the app name skips a manifest that is broken or has no name', () => {
  file('work/apps/broken/package.json', '{')
  manifest('work/apps/broken/dist', '')
  const inside = file('work/apps/broken/dist/server.js', '')
  expect(appName(inside, '/')).toBe('the-workspace')
})

test('the app package has a version when its manifest has one', () => {
  const versioned = JSON.stringify({ name: 'orders', version: '1.4.2' })
  file('work/apps/versioned/package.json', versioned)
  const inside = file('work/apps/versioned/server.js', '')
  expect(appPackage(inside, '/')).toEqual({ name: 'orders', version: '1.4.2' })
  expect(appPackage(script, '/')?.version).toBeUndefined()
})

test('there is no app name without a package', () => {
  const lone = file('lone/server.js', '')
  expect(appName(lone, join(root, 'lone'))).toBeUndefined()
})

test.each([
  ['orders', 'orders'],
  ['@acme/orders', 'acme.orders'],
  ['Ünder Score', '-nder-score'],
  ['x'.repeat(100), 'x'.repeat(64)],
])('%s as a namespace is %s', (name, namespace) => expect(asNamespace(name)).toBe(namespace))
