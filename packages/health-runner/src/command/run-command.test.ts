import { HealthConfigError } from '@baldur/health-core'
import { createDrain } from '@baldur/health-drain'
import { describe, expect, it } from 'vitest'
import type { RunnersOptions } from '../options.ts'
import type { Runners } from '../runners.ts'
import type { GuardEvent, RunnerEvent } from '../vocabulary/fleet.ts'
import { runCommand } from './run-command.ts'

type Listener = (event: never) => void

/** The handle of runners that a test moves by hand. */
function scripted() {
  const listeners = new Map<string, Listener>()
  const drain = createDrain({ env: {} })
  const runners: Runners = {
    url: 'http://127.0.0.1:8080',
    port: 8080,
    scale: () => undefined,
    snapshot: async () => ({
      fleet: {
        wanted: 1,
        guard: { ended: 0, allowed: 1 },
        runners: [{ name: '1.1', pid: 7, state: 'starting', direct: 0, queued: 0, served: 0, isHeld: false }],
      },
      waiting: 0,
      queue: { waiting: 0, running: 0, completed: 0, unfetched: 0, retried: 0 },
    }),
    on: (name: string, listener: Listener) => {
      listeners.set(name, listener)
      return () => void listeners.delete(name)
    },
    drain,
    close: async () => undefined,
  }
  return {
    runners,
    runner: (event: RunnerEvent) => listeners.get('runner')?.(event as never),
    guard: (event: GuardEvent) => listeners.get('guard')?.(event as never),
  }
}

async function run(argv: string, start: (options: RunnersOptions) => Promise<Runners>) {
  const [out, err, drained]: [string[], string[], unknown[]] = [[], [], []]
  const code = await runCommand(argv.split(' '), {
    env: {},
    version: '1.2.3',
    start,
    drainOnSignals: (drain) => void drained.push(drain),
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  })
  return { code, out, err, drained }
}

const never = async (): Promise<Runners> => {
  throw new Error('it was not to be started')
}

describe('the command', () => {
  it('says where the gateway listens on standard output, and how runners do on standard error', async () => {
    const { runners, runner, guard } = scripted()
    let given: RunnersOptions | undefined
    const ran = await run('start app.js --port 8080', async (options) => {
      given = options
      return runners
    })
    given?.logger?.info('drain: begins')
    given?.logger?.debug('not wanted')
    given?.logger?.warn('runner 1.1: timed_out: said by its event')
    runner({ name: '1.1', pid: 7, from: 'starting', to: 'idle' })
    runner({ name: '1.1', pid: 7, from: 'idle', to: 'running' })
    guard({ name: '1.1', reason: 'timed_out', ended: 1, allowed: 1 })
    expect(given).toMatchObject({ command: ['app.js'], port: 8080 })
    expect(ran).toMatchObject({
      code: undefined,
      out: ['listening on http://127.0.0.1:8080'],
      drained: [runners.drain],
    })
    expect(ran.err).toEqual([
      'baldur-runner: runner 1.1 (pid 7): starting',
      'baldur-runner: drain: begins',
      'baldur-runner: runner 1.1 (pid 7): starting -> idle',
      expect.stringMatching(/^baldur-runner: guard: runner 1\.1 is kept, though it took too long/),
    ])
  })

  it('says more with --verbose', async () => {
    const { runners, runner } = scripted()
    const { err } = await run('start app.js --verbose', async ({ logger }) => {
      logger?.debug('a detail')
      return runners
    })
    runner({ name: '1.1', pid: 7, from: 'idle', to: 'running' })
    expect(err.join()).toMatch(/a detail.*idle -> running/)
  })

  it('ends with 2 for a command line that cannot work, each problem in a line, and starts nothing', async () => {
    expect(await run('start --port x --runers 2', never)).toMatchObject({
      code: 2,
      out: [],
      err: [
        'baldur-runner: --port: expected a port from 0 to 65535 (0 picks one), got "x"',
        'baldur-runner: --runers: an unknown flag (did you mean --runners?); --help lists them',
      ],
    })
  })

  it('ends with 2 for settings that are refused at the start, in the words of its flags', async () => {
    const problems = [
      { path: 'requestTimeoutMs', expected: '10 to 20 milliseconds', got: '5 (number)' },
      { path: 'BALDUR_X', expected: 'less', got: '"more" (string)' },
    ]
    const { code, err } = await run('start app.js', async () => {
      throw new HealthConfigError(problems)
    })
    expect([code, ...err]).toEqual([
      2,
      'baldur-runner: --request-timeout: expected 0.01 to 0.02 seconds, got 5 (number)',
      'baldur-runner: BALDUR_X: expected less, got "more"',
    ])
  })

  it('ends with 1 and a line when the start fails', async () => {
    const { code, err } = await run('start app.js', async () => {
      throw new Error('port 8080 on 127.0.0.1 is taken')
    })
    expect([code, ...err]).toEqual([1, 'baldur-runner: port 8080 on 127.0.0.1 is taken'])
  })

  it('answers --help and --version on standard output, and ends with 0', async () => {
    const help = await run('start --help', never)
    expect(help).toMatchObject({ code: 0, err: [] })
    expect(help.out.join()).toMatch(/^baldur-runner start \[flags\] app\.js\n/)
    expect(await run('--version', never)).toMatchObject({ code: 0, out: ['1.2.3'], err: [] })
  })
})
