import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HELP } from '../../packages/health-admin/src/healthcheck/help.ts'
import { TIMEOUT_S } from '../../packages/health-admin/src/healthcheck/read-arguments.ts'
import { ROUTES } from '../../packages/health-admin/src/rules/route.ts'
import { LIMITS } from '../../packages/health-admin/src/settings/defaults.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
const admin = read('docs/guides/admin.md')
const docker = read('docs/guides/docker.md')

/** First and second cell of each row below a heading. */
const rowsOf = (guide: string, heading: string): readonly (readonly [string, string])[] => {
  const [, below = ''] = guide.split(`\n## ${heading}\n`)
  const [section = ''] = below.split('\n## ')
  return [...section.matchAll(/^\| (.*?) \| (.*?) \|/gm)].map(([, first = '', second = '']) => [
    first,
    second,
  ])
}

test('the guide of the admin server names every path and its role', () => {
  const listed = rowsOf(admin, 'Paths').flatMap(([paths, role]) =>
    [...paths.matchAll(/`(?:POST )?(\/[a-z/]*)`/g)].map(([, path]) => [path, role]),
  )
  const words = { open: 'anyone', viewer: 'viewer', operator: 'operator' }
  const routes = Object.entries(ROUTES).map(([path, { access }]) => [path, words[access]])
  expect(listed.sort()).toEqual(routes.sort())
})

test('the guide of the admin server has the limits in force', () => {
  const { connections, watchers, headerBytes, headersMs, bodyBytes, requestMs, silentMs, idleMs } = LIMITS
  for (const words of [
    `${connections} connections`,
    `${watchers} watchers`,
    `${headerBytes / 1_024} KiB of headers within ${headersMs / 1_000} s`,
    `${bodyBytes / 1_024} KiB of body`,
    `${requestMs / 1_000} s for a request`,
    `${silentMs / 1_000} s without a byte`,
    `${idleMs / 1_000} s of keep-alive`,
  ])
    expect(admin).toContain(words)
})

test('the guide of Docker names the program where it is, and its arguments', () => {
  const { bin } = JSON.parse(read('packages/health-admin/package.json')) as { bin: Record<string, string> }
  const file = bin['baldur-healthcheck']?.slice(2)
  expect(docker).toContain(`"node", "node_modules/@baldur/health-admin/${file}"`)
  for (const name of ['--port N', '--path PATH', '--timeout SECONDS', 'URL']) {
    expect(docker).toContain(`| \`${name}\` |`)
    expect(HELP).toContain(name)
  }
  expect(docker).toContain(`head and body together; default ${TIMEOUT_S}, from 0.1 to 300`)
})
