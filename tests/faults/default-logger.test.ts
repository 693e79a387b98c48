import { fileURLToPath } from 'node:url'
import { spawnApp } from 'health-testkit'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('default-logger.mjs', import.meta.url))
const run = (redirection: string, ...args: string[]) =>
  spawnApp({
    command: '/bin/bash',
    args: ['-c', `exec "$0" "$@" ${redirection}`, process.execPath, PROGRAM, ...args],
  })

test.each([
  ['on a full disk', '2>/dev/full'],
  ['on a pipe whose reader has left', '2> >(exec 0<&-)'],
  ['closed', '2>&-'],
])(
  'a service outlives its own log lines with standard error %s, and drains with code 0',
  async (_what, to) => {
    const app = await run(to)
    const { code } = await app.exited
    expect([app.stdout, code]).toEqual([['alive'], 0])
  },
)

test.each([
  ['on a full disk', '2>/dev/full'],
  ['on a pipe whose reader has left', '2> >(exec 0<&-)'],
])('a fatal error still ends in a drain, code 1, with standard error %s', async (_what, to) => {
  const app = await run(to, 'fatal')
  const { code } = await app.exited
  expect([app.stdout, code]).toEqual([['alive'], 1])
})

test('the default logger writes each recovery where it wrote the failure', async () => {
  const app = await run('')
  await app.exited
  const own = app.stderr.filter((line) => /verdict|check db/.test(line))
  expect(own.slice(0, 4)).toEqual([
    'baldur-health warning: check db is not usable: NOT_USABLE: not usable',
    'baldur-health warning: verdict: healthy -> unhealthy (db)',
    'baldur-health warning: check db is usable again',
    'baldur-health warning: verdict: unhealthy -> healthy after 0 s (db)',
  ])
})
