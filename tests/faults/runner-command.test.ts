import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type AppExit, spawnApp } from 'health-testkit'
import { expect, it } from 'vitest'

const PACKAGE = new URL('../../packages/health-runner/', import.meta.url)
const PROGRAM = fileURLToPath(new URL('dist/baldur-runner.js', PACKAGE))

async function run(
  ...args: readonly string[]
): Promise<{ exit: AppExit; out: readonly string[]; err: readonly string[] }> {
  const app = await spawnApp({ args: [PROGRAM, ...args] })
  return { exit: await app.exited, out: app.stdout, err: app.stderr }
}

it('baldur-runner --help shows how it is used and ends with 0', async () => {
  const { exit, out, err } = await run('--help')
  expect([exit.code, err]).toEqual([0, []])
  expect(out.slice(0, 2)).toEqual([
    'baldur-runner start [flags] app.js',
    'baldur-runner start [flags] -- program arguments',
  ])
})

it('baldur-runner --version says that of its package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8')) as {
    version: string
  }
  const { exit, out, err } = await run('--version')
  expect([exit.code, out, err]).toEqual([0, [version], []])
})

it('baldur-runner ends with 2 for what cannot work, and says all of it', async () => {
  const { exit, out, err } = await run('start', '--port', '99999', '--runers', '3', '--kill-after=soon')
  expect([exit.code, out]).toEqual([2, []])
  expect(err).toEqual([
    'baldur-runner: --port: expected a port from 0 to 65535 (0 picks one), got "99999"',
    'baldur-runner: --runers: an unknown flag (did you mean --runners?); --help lists them',
    'baldur-runner: --kill-after: expected 0 to 300 seconds, got "soon"',
  ])
})

it.each([
  ['an app that is served as a runner', "require('@baldur/health-runner')", '0'],
  ['nothing but the client itself', "require('undici')", 'more'],
])('%s loads of the gateway’s client: %s: %s', async (_who, load, found) => {
  const count = "Object.keys(require.cache).filter((file) => file.includes('/undici/')).length"
  const program = `${load}; console.log(${count} === 0 ? '0' : 'more')`
  const app = await spawnApp({ args: ['-e', program], cwd: fileURLToPath(PACKAGE) })
  expect(await app.exited).toMatchObject({ code: 0 })
  expect(app.lines).toEqual([found])
})
